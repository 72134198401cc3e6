// Grey levels as a picture.
function canvasOf({width, height, levels}) {
  const canvas = element('canvas', {width, height}), pen = canvas.getContext('2d');
  const pixels = pen.createImageData(width, height), bytes = atob(levels);
  for (let i = 0; i < bytes.length; ++i)
    pixels.data.set([bytes.charCodeAt(i), bytes.charCodeAt(i), bytes.charCodeAt(i), 255], 4 * i);
  pen.putImageData(pixels, 0, 0);
  return canvas;
}

/** Marks over a picture: (0, 0) is the centre of the frame's first pixel. */
function drawingOver({width, height, side}, name, ...marks) {
  return drawn('svg', {viewBox: `-0.5 -0.5 ${side * width} ${side * height}`, role: 'img',
                       'aria-label': name}, ...marks);
}
