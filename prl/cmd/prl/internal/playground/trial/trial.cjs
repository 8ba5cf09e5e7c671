// Makes, compiles, links and runs cells as a page does: node trial.cjs go-toolchain.js. The first line of the output is {ready}, the seconds
// of processor time until the toolchain is there. Each line of the input is {cells, id, seconds}, with the seconds that the program may run;
// the answer is {fault, make}, or {code, outputs, make, run, bytes, memory} with the exit status, null for a program that was stopped,
// and seconds of processor time.
'use strict';
const fs = require('fs'), readline = require('readline'), { Worker } = require('worker_threads'), { cpuUsage, argv, stdin, exit } = process;
const cpu = () => { const u = cpuUsage(); return (u.user + u.system) / 1e6; };
const print = (line) => fs.writeSync(1, JSON.stringify(line) + '\n');

// thread is the program of a thread that runs one module.
async function thread() {
  const { workerData: { script, module }, parentPort } = require('worker_threads');
  (0, eval)(script);
  globalThis.prlShow = (html, text, id) => parentPort.postMessage({ html, text, id });
  const { code } = await run(await WebAssembly.compile(module), files((fd, stream) => parentPort.postMessage({ stream })), ['cell']);
  parentPort.postMessage({ code });
}

// one runs a module in a thread of its own, which can be stopped. Its outputs are {stream}, a text, or {html, text, id}; one with the id of an
// earlier one takes the place of that.
function one(script, module, seconds) {
  const worker = new Worker(`(${thread})()`, { eval: true, workerData: { script, module } });
  const outputs = [];
  return new Promise((done) => {
    const end = (code) => { clearTimeout(late); worker.terminate().then(() => done({ code, outputs })); };
    const late = setTimeout(() => end(null), 1000 * seconds);
    worker.on('message', (m) => {
      if ('code' in m) return end(m.code);
      const at = outputs.findIndex((o) => m.id && o.id === m.id);
      if (at < 0) outputs.push(m);
      else outputs[at] = m;
    });
    worker.on('error', (err) => { outputs.push({ stream: String(err) }); end(2); });
  });
}

// step is a worker as a browser has it, for a step of the toolchain.
function step(text) {
  const begin = `const { parentPort } = require('worker_threads'); globalThis.postMessage = (m, give) => parentPort.postMessage(m, give);
    parentPort.on('message', (data) => onmessage({ data }));`;
  const made = new Worker(`${begin}(0, eval)(${JSON.stringify(text)});`, { eval: true });
  made.on('message', (data) => made.onmessage({ data }));
  made.on('error', (err) => made.onerror(err));
  return made;
}

async function main() {
  globalThis.crypto ??= require('crypto').webcrypto;
  (0, eval)(fs.readFileSync(argv[1], 'utf8'));
  const kit = globalThis.prlToolchain, began = cpu();
  (0, eval)(kit.run + kit.tools);
  const make = await toolchain({ ...kit, parts: kit.letters(), letters: null }, (...texts) => step(texts.join('\n')));
  print({ ready: cpu() - began });
  for await (const line of readline.createInterface({ input: stdin })) {
    const { cells, id, seconds } = JSON.parse(line), t0 = cpu(), made = await make(cells, id), t1 = cpu();
    if (made.fault) { print({ fault: made.fault, make: t1 - t0 }); continue; }
    const ended = await one(kit.run, made.module, seconds);
    print({ ...ended, make: t1 - t0, run: cpu() - t1, bytes: made.module.length, memory: Math.max(...made.cost.map((c) => c.memory)) });
  }
  exit(0);
}

main();
