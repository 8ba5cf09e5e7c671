// Builds cells.min.js, which the Go package embeds. See README.md.
const { buildSync } = require('esbuild');
const fs = require('fs');

const script = buildSync({
  entryPoints: ['cells.js'], bundle: true, format: 'iife', minify: true, target: 'es2022', legalComments: 'none', write: false,
  banner: { js: '/* CodeMirror 6 and Lezer, MIT License: see LICENSE-codemirror */' },
}).outputFiles[0].text;
fs.writeFileSync('cells.min.js', script);
console.log('cells.min.js', script.length);
