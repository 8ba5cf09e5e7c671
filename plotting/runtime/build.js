// Builds what the Go package embeds: echarts.min.js.gz (and the full one of echartsx) and runtime.min.js. See README.md.
const { buildSync } = require('esbuild');
const { gzipSync } = require('zlib');
const fs = require('fs');

const banner = '/* Apache ECharts 6.1.0, Apache License 2.0; zrender 6, BSD 3-Clause; parts of d3, BSD 3-Clause: see LICENSE-echarts, NOTICE-echarts */\n';

function library(entry, out) {
  const made = buildSync({
    entryPoints: [entry], bundle: true, minify: true, format: 'iife', globalName: 'PrlECharts', target: 'es2019', legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' }, write: false,
  });
  const packed = gzipSync(banner + made.outputFiles[0].text, { level: 9 });
  fs.writeFileSync(out, packed);
  console.log(out, packed.length);
}

library('echarts.js', 'echarts.min.js.gz');
library('echarts-full.js', '../echartsx/echarts-full.min.js.gz');
const script = buildSync({ entryPoints: ['runtime.js'], bundle: true, format: 'iife', minify: true, target: 'es2020', write: false }).outputFiles[0].text;
fs.writeFileSync('runtime.min.js', script);
console.log('runtime.min.js', script.length);
