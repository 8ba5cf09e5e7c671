// The engine: the notebook's own program, compiled to WebAssembly, in a worker of its own. A page that was handed out holds the program, and
// what Go needs to run it, in two scripts of type text/plain; a lab has both on its server. Figures with one source share an engine.

import { expand } from './lzma.js';

const patience = 10000; // milliseconds that a step may take before its program is taken for stuck

// The worker. What runs before these lines is Go's wasm_exec.js. It answers one question after the other, in the order they come.
function work(expand) {
  const opened = new Map(); // cell -> what is wrong with it, or nothing
  let go = null;
  const tell = (message) => self.postMessage(message);

  // unpack reads the letters in which a page writes bytes: two of 125 characters for 13 bits, or for 14 where the lowest 13 are a small number.
  function unpack(text) {
    const n = 125, small = n * n - 8192, value = new Uint8Array(128), out = new Uint8Array(text.length);
    for (let c = 0, v = 0; c < 128; c++) if (c !== 0 && c !== 13 && c !== 60) value[c] = v++;
    let queue = 0, bits = 0, length = 0, i = 0;
    for (; i + 1 < text.length; i += 2) {
      const v = value[text.charCodeAt(i)] + n * value[text.charCodeAt(i + 1)];
      queue |= v << bits;
      bits += (v & 8191) < small ? 14 : 13;
      for (; bits > 7; bits -= 8) { out[length++] = queue; queue >>>= 8; }
    }
    if (i < text.length) out[length++] = queue | (value[text.charCodeAt(i)] << bits);
    return out.subarray(0, length);
  }

  async function begin({ letters, base64, bytes }) {
    const data = bytes || (letters ? unpack(letters) : Uint8Array.from(atob(base64.trim()), (c) => c.charCodeAt(0)));
    go = new self.Go();
    const zipped = data[0] === 0x1f && data[1] === 0x8b; // gzip, as a lab has it; a page has LZMA
    const made = zipped
      ? await WebAssembly.instantiateStreaming(new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream('gzip')), { headers: { 'Content-Type': 'application/wasm' } }), go.importObject)
      : await WebAssembly.instantiate(expand(data), go.importObject);
    await new Promise((done, fail) => {
      self.prlReady = done; // the program calls it when it waits for questions
      go.run(made.instance).then(() => fail(new Error('the program has ended')), fail);
    });
    tell({ ready: true });
  }

  function answer({ id, cell, n, given, draft }) {
    const started = performance.now();
    try {
      if (!opened.has(cell)) opened.set(cell, self.prlOpen(cell));
      const fault = opened.get(cell), text = fault ? JSON.stringify({ fault }) : self.prlStep(cell, n, given, draft);
      if (go.exited || typeof text !== 'string') throw new Error('the program has ended');
      tell({ id, text, ms: performance.now() - started });
    } catch (err) { tell({ id, ended: String(err) }); }
  }

  self.onmessage = ({ data }) => (data.id ? answer(data) : begin(data).catch((err) => tell({ damaged: String(err) })));
}

const later = (ms) => new Promise((done) => setTimeout(done, ms));

// server is the address of a lab's server, or null where no lab is.
function server() {
  const settings = document.getElementById('jupyter-config-data');
  try { return settings && new URL(JSON.parse(settings.textContent).baseUrl, location.href).href; } catch { return null; }
}

// fromPage and fromServer give what an engine runs: {exec, module}. The page fetches it: a worker names no referrer, and Jupyter turns such
// callers away. What a reader has run in a page of cells stands in prlPrograms, by its source.
function fromPage(source) {
  const { [source]: run } = window.prlPrograms || {};
  if (run) return run;
  const exec = document.querySelector('script[data-prl-exec]'), module = document.querySelector('script[data-prl-module]');
  return exec && module && { exec: exec.textContent, module: { [module.dataset.prlModule || 'base64']: module.textContent } };
}

// Unable says why there is no program, in words for the reader.
export class Unable extends Error {}

// fromServer asks the lab for the program of a chapter or of a cell, and waits while it is being built; meanwhile tell has words for the reader.
async function fromServer(name, tell) {
  const at = server(), get = async (path) => {
    const answer = await fetch(at + path).catch(() => { throw new Unable('The lab\u2019s server does not answer. When it runs again, reload this page.'); });
    if (!answer.ok) throw new Unable('This server is not the lab\u2019s, which figures need to compute. Start it with: go tool prl lab');
    return answer;
  };
  for (let wait = 150; ; wait = Math.min(1.3 * wait, 1000)) {
    const { module, why, done, chapters } = await (await get('prl/module?of=' + encodeURIComponent(name))).json();
    if (why) throw new Unable(why);
    if (module) {
      const [exec, bytes] = await Promise.all([get('static/' + module.replace(/\.wasm\.gz$/, '.js')), get('static/' + module)]);
      return { exec: await exec.text(), module: { bytes: new Uint8Array(await bytes.arrayBuffer()) } };
    }
    const rest = done < chapters ? `: ${done} of ${chapters} chapters are ready` : '';
    if (wait > 300) tell(`The program of this figure is being built${rest}. It answers when its program is there.`);
    await later(wait);
  }
}

const engines = new Map(); // source -> Engine

class Engine {
  constructor(source) {
    Object.assign(this, { source, users: new Set(), asked: new Map(), last: 0, worker: null, ready: null, up: false, news: '' });
  }

  // start gives a promise that holds once the program waits for questions.
  start() {
    if (!this.ready) {
      this.ready = this.boot();
      this.ready.catch(() => {});
    }
    return this.ready;
  }

  async boot() {
    this.program = this.program || fromPage(this.source) || (await fromServer(this.source, (words) => this.tell(words)));
    this.tell('');
    const address = URL.createObjectURL(new Blob([this.program.exec, '\n(', work.toString(), ')(', expand.toString(), ');'], { type: 'text/javascript' }));
    const worker = (this.worker = new Worker(address));
    await new Promise((done, fail) => {
      worker.onmessage = ({ data: d }) => {
        if (d.ready) done(); else if (d.damaged) fail(new Error(d.damaged)); else this.answered(d);
      };
      worker.onerror = (e) => { e.preventDefault(); fail(new Error(e.message || 'the worker does not start')); };
      worker.postMessage(this.program.module);
    });
    URL.revokeObjectURL(address);
    this.up = true;
  }

  // tell has words for the readers of all figures that wait.
  tell(words) {
    this.news = words;
    for (const user of this.users) if (!user.film) user.quiet(words);
  }

  // ask puts a question; done gets {text, ms}, or {ended} when the program ended over it, or {lost} when it ended over another one.
  ask(question, done) {
    const id = ++this.last;
    this.asked.set(id, { done, watch: setTimeout(() => this.answered({ id, ended: 'this takes too long' }), patience) });
    this.worker.postMessage({ ...question, id });
  }

  answered(d) {
    const one = this.asked.get(d.id);
    if (!one) return;
    clearTimeout(one.watch);
    this.asked.delete(d.id);
    if (d.ended) this.stop(); // the next wish starts it anew
    one.done(d);
  }

  stop() {
    if (this.worker) this.worker.terminate();
    Object.assign(this, { worker: null, ready: null, up: false });
    const lost = [...this.asked.values()];
    this.asked.clear();
    for (const one of lost) { clearTimeout(one.watch); one.done({ lost: true }); }
  }

  // leave ends an engine that no figure of the page uses any more.
  leave(user) {
    this.users.delete(user);
    setTimeout(() => {
      if (this.users.size) return;
      this.stop();
      if (engines.get(this.source) === this) engines.delete(this.source);
    }, 5000);
  }
}

const able = () => typeof WebAssembly !== 'undefined' && typeof Worker !== 'undefined' && typeof DecompressionStream !== 'undefined';

// computes tells whether a program can run here: one that this page holds, or the one that a lab has under the name of the source.
export const computes = (source) => able() && !!(fromPage(source) || (source && server()));

// engineFor gives the engine of a live figure, or the reason why there is none. A source names a file of the lab's server.
export function engineFor(source, user) {
  if (!able()) return { none: 'this browser runs no WebAssembly' };
  if (!computes(source)) return { none: 'its program is not in this page' };
  if (!engines.has(source)) engines.set(source, new Engine(source));
  const engine = engines.get(source);
  engine.users.add(user);
  return { engine };
}
