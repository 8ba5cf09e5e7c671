// Builds cells.min.js and kernel.min.js, which the Go package embeds. See README.md.
const { buildSync } = require('esbuild');
const fs = require('fs');

for (const [name, js] of [['cells', '/* CodeMirror 6 and Lezer, MIT License: see LICENSE-codemirror */'], ['kernel', '']]) {
  const script = buildSync({
    entryPoints: [name + '.js'], bundle: true, format: 'iife', minify: true, target: 'es2022', legalComments: 'none', write: false, banner: { js },
  }).outputFiles[0].text;
  fs.writeFileSync(name + '.min.js', script);
  console.log(name + '.min.js', script.length);
}
