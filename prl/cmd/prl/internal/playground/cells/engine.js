// The toolchain and the programs of cells, each in a worker. The page gets both as text from go-toolchain.js, at the first run.

const worker = (...texts) => {
  const address = URL.createObjectURL(new Blob(texts, { type: 'text/javascript' })), made = new Worker(address);
  URL.revokeObjectURL(address);
  return made;
};

// tools is the worker of the toolchain, behind Go's loader, the toolchain's own lines. It does one thing after the other.
function tools(worker) {
  let make, last = Promise.resolve();
  const answer = async ({ kit, cells, id, call, args }) => {
    if (kit) { make = await toolchain(kit, worker); return {}; }
    return cells ? make(cells, id) : { value: self[call](...args) };
  };
  self.onmessage = ({ data }) => { last = last.then(() => answer(data)).catch((err) => ({ broken: String(err) })).then((a) => self.postMessage({ ...a, job: data.job }, a.module ? [a.module.buffer] : [])); };
}

// alone takes from a worker what reaches beyond it; the policy of the page forbids the network anyway.
function alone() {
  for (const name of ['fetch', 'XMLHttpRequest', 'WebSocket', 'WebTransport', 'EventSource', 'importScripts', 'Worker', 'SharedWorker', 'BroadcastChannel', 'indexedDB', 'caches', 'cookieStore', 'navigator']) {
    for (let at = self; at; at = Object.getPrototypeOf(at)) delete at[name];
  }
}

// program is the worker of a run. Its first thousand prints go to the page at once, and further ones in pieces, for a flood of messages would
// keep the page busy for minutes. Far beyond what a page shows nothing is sent any more: the page has stopped the run by then.
function program() {
  self.onmessage = async ({ data }) => {
    const began = performance.now();
    let held = '', from = 0, sent = began, timer = 0, prints = 0, written = 0;
    const flush = () => {
      if (held) self.postMessage({ fd: from, text: held });
      held = '';
      sent = performance.now();
    };
    const print = (fd, text) => {
      if (written > 1e6) return;
      if (fd !== from) flush();
      from = fd;
      held += text;
      written += text.length;
      if (++prints < 1000 || held.length > 1e4 || performance.now() - sent > 50) flush();
      else timer ||= setTimeout(() => { timer = 0; flush(); }, 50);
    };
    const tell = (message) => { flush(); self.postMessage(message); };
    globalThis.prlShow = (html, text, id) => tell({ html, text, id });
    const { code } = await run(await WebAssembly.compile(data), files(print), ['cell']);
    tell({ code, ms: performance.now() - began });
  };
}

// able reports whether cells can run here: not on phones, whose memory is too small.
export const able = () => typeof WebAssembly === 'object' && typeof Worker === 'function' && typeof CompressionStream === 'function' &&
  !matchMedia('(hover: none) and (pointer: coarse)').matches;

export class Unable extends Error {}

// load gives the object that the script beside the page defines. From a server its hash is compared; a browser does not do so with a file.
function load({ name, sum }) {
  return new Promise((done, fail) => {
    const script = document.createElement('script');
    script.src = name;
    if (location.protocol !== 'file:') script.integrity = sum;
    script.onload = () => done(globalThis.prlToolchain);
    script.onerror = () => fail(new Unable(`${name}, which belongs beside this page, is not there or is another one`));
    document.head.append(script);
  });
}

export class Engine {
  constructor(about) { Object.assign(this, { about, jobs: new Map(), last: 0 }); }

  // ready resolves once the toolchain can compile.
  ready() {
    return (this.starting ??= this.start().catch((err) => { this.starting = null; throw err; }));
  }

  async start() {
    const kit = (this.kit ??= await load(this.about));
    this.run = kit.run;
    const made = (this.tools = worker(kit.run, kit.tools, `(${tools})(${worker});`));
    made.onmessage = ({ data }) => { this.jobs.get(data.job)(data); this.jobs.delete(data.job); };
    this.broken = new Promise((_, fail) => { made.onerror = (e) => { e.preventDefault(); fail(new Error(e.message)); }; });
    const parts = kit.letters(), { broken } = await this.ask({ kit: { ...kit, parts, letters: null } }, Object.values(parts).map((p) => p.buffer));
    if (broken) throw new Unable(`the compiler does not start here: ${broken}`);
    this.kit = globalThis.prlToolchain = null; // its bytes are in the worker
  }

  ask(question, give = []) {
    const job = ++this.last;
    const answer = new Promise((done) => { this.jobs.set(job, done); });
    this.tools.postMessage({ ...question, job }, give);
    return Promise.race([answer, this.broken]);
  }

  // make compiles the cell id of cells and resolves to {module, cost} or {fault}.
  make(cells, id) { return this.ask({ cells, id }); }

  // call calls a function of the maker of programs.
  async call(call, ...args) {
    const { value, broken } = await this.ask({ call, args });
    if (broken) throw new Error(broken);
    return value;
  }

  async clean(html) { return this.call('prlClean', html).catch(() => ''); }

  // go runs a module. tell is given {fd, text}, {html, text, id} and, at the end, {code, ms}, with code null for a program that broke. The answer stops it.
  go(module, tell) {
    const made = worker(this.run, `(${alone})();(${program})();`), stop = () => made.terminate();
    made.onmessage = ({ data }) => { if ('code' in data) stop(); tell(data); };
    made.onerror = (e) => { e.preventDefault(); stop(); tell({ fd: 2, text: e.message + '\n' }); tell({ code: null }); };
    made.postMessage(module);
    return stop;
  }

  // script is what runs the module of a live figure, whose worker is the runtime's of figures.
  get script() { return `${this.run}\n(${alone})();`; }
}
