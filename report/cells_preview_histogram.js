// The histogram of radii, with the range that is searched for between two dashed lines.
function drawRadii(place, {least, most, of, sizes, histogram}) {
  byId('radii-about').textContent = `${sizes.length} ${of}; circles of ${least} to ${
      most} px are searched for (dashed)`;
  if (!histogram.length) {
    place.textContent = 'There are none.';
    return;
  }
  drawBars(place, {
    bins: histogram.map((bin) => ({...bin, chosen: bin.to > least && bin.from <= most})),
    name: 'Histogram of radii', axis: 'radius', unit: 'px', marks: [least, most], mark: 'radius'
  });
}
