// Puts the page together.
/** A speed of the machine, which is stored in ones; 0 is not known. */
function speed(path, unit) {
  const [factor, letter] = report[path] >= 1e13 ? [1e-12, 'T'] : [1e-9, 'G'];
  return figure(path, (value) => value > 0 ? `${shown(factor * value)} ${letter}${unit}` : 'not known');
}

function machineFacts() {
  const facts = [
    fact('Processor', `${report.machine}, ${report.threads} threads`),
    fact('CPU arithmetic', speed('cpu_flops', 'FLOP/s')),
    fact('CPU memory', speed('cpu_bytes_per_second', 'B/s')),
    fact('GPU', report.device || `none: ${report.no_device_reason}`),
  ];
  if (report.device)
    facts.push(fact('GPU arithmetic', speed('gpu_flops', 'FLOP/s')),
               fact('GPU products of bytes', speed('gpu_byte_ops', 'OP/s')),
               fact('GPU memory', speed('gpu_bytes_per_second', 'B/s')),
               fact('To the GPU', speed('upload_bytes_per_second', 'B/s')),
               fact('From the GPU', speed('download_bytes_per_second', 'B/s')));
  if (report.cpu_price !== null) facts.push(fact('An hour of CPU', figure('cpu_price')));
  if (report.gpu_price !== null) facts.push(fact('An hour of GPU', figure('gpu_price')));
  return facts;
}

function about() {
  const parts = [`Tessera ${report.version}`, report.date];
  if (report.commit) parts.push(report.commit);
  if (report.quick) parts.push('small cases (--quick)');
  return parts.filter((part) => part).join(' · ');
}

function drawPictures() {
  drawRoofline(byId('roofline-picture'));
  if (report.rows.length) drawBars(byId('transfer-bars'));
}

byId('about').textContent = about();
byId('machine').append(...machineFacts());
fillAnswers(byId('answer-table'));
fillAgainst(byId('comparison'), byId('comparison-name'), byId('comparison-table'));
fillCalls(byId('calls'), byId('call-table'));
fillWays(byId('way-table'));
fillKey(byId('roofline-key'));
drawPictures();
window.addEventListener('resize', drawPictures);
