// The Go kernel of a JupyterLite: an extension of JupyterLab, as a module-federation container that is written by hand like the lab's other one
// (setup/labextension). A cell runs as in the lab: with the declarations of the cells that ran before it, and without their values.

import { Engine, Unable, able } from './engine.js';
import { describe, keep, meter } from './outputs.js';

const name = '@prlab/go';
const toolchain = { name: new URL('TOOLCHAIN', document.currentScript.src).href, sum: 'SUM' }; // the site's builder writes the file and its hash here
const spec = { name: 'KERNEL', display_name: 'DISPLAY', language: 'go', argv: [], resources: {} };
const first = 'Go\u2019s compiler starts, once for this page \u2026\n';

const seconds = (ms) => (ms / 1000).toFixed(1) + ' s';

// sourceOf is the name of a module among the programs of the page, in the form of the lab's.
async function sourceOf(module) {
  const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', module));
  return [...sum.slice(0, 16)].map((b) => b.toString(16).padStart(2, '0')).join('') + '.wasm.gz';
}

// shown is the HTML of an output as a notebook keeps it: cleaned, and with figures that the lab's extension draws.
async function shown(html, { cell, module }) {
  const page = new DOMParser().parseFromString(await engine.clean(html), 'text/html'); // runs nothing and loads nothing
  for (const img of page.querySelectorAll('img[data-prl-spec]')) {
    await describe(img, cell, async () => {
      const source = await sourceOf(module);
      if (!window.prlPrograms?.[source]) await keep(source, { module, engine });
      return source;
    });
  }
  return page.body.innerHTML;
}

const engine = new Engine(toolchain); // of all kernels of this page

const kernels = (BaseKernel) => class extends BaseKernel {
  ran = []; // the cells that were compiled, as the maker of programs takes them: the last run last
  halt = null; // ends the run

  async kernelInfoRequest() {
    return {
      status: 'ok', protocol_version: '5.3', implementation: 'prl', implementation_version: '1', banner: 'Go in this page', help_links: [],
      language_info: { name: 'go', version: 'GOVERSION', mimetype: 'text/x-go', file_extension: '.go', pygments_lexer: 'go', codemirror_mode: 'go', nbconvert_exporter: 'script' },
    };
  }

  async executeRequest({ code }) {
    const cell = { ID: this.parent.metadata?.cellId ?? `in-${this.executionCount}`, Text: code, count: this.executionCount };
    let stop;
    const stopped = new Promise((done) => { stop = () => done(null); });
    this.halt = stop;
    try {
      return await this.compile(cell, stopped);
    } catch (err) {
      return this.failed('No Go here', [err instanceof Unable ? `${err.message}.` : String(err)]);
    } finally {
      if (this.halt === stop) this.halt = null;
    }
  }

  async compile(cell, stopped) {
    if (!able()) throw new Unable('this browser, or a device without a mouse and a keyboard, cannot compile Go');
    if (engine.kit !== null) {
      this.stream({ name: 'stderr', text: first });
      if ((await Promise.race([engine.ready().then(() => true), stopped])) === null) return this.interrupted();
      this.clearOutput({ wait: false });
    }
    const cells = [...this.ran.filter((c) => c.ID !== cell.ID), cell];
    const made = await Promise.race([engine.make(cells.map(({ ID, Text }) => ({ ID, Text })), cell.ID), stopped]);
    if (made === null) return this.interrupted();
    if (made.broken) throw new Error(made.broken);
    if (made.fault) return this.failed('Does not compile', this.told(made.fault, cell));
    this.ran = cells;
    return this.go(cell, made.module);
  }

  // go runs a module. Its outputs appear in the order in which it made them.
  async go(cell, module) {
    const much = meter(), ids = new Set();
    let showing = Promise.resolve();
    const show = ({ fd, text, html, id }) => {
      if (fd) return this.stream({ name: fd === 2 ? 'stderr' : 'stdout', text });
      const content = { data: { 'text/plain': text }, metadata: {}, transient: id ? { display_id: `${this.id} ${cell.count} ${id}` } : {} };
      const again = id && ids.has(id);
      ids.add(id);
      return Promise.resolve(html && shown(String(html), { cell: cell.ID, module })).then((clean) => {
        if (clean) content.data['text/html'] = clean;
        if (again) this.updateDisplayData(content); else this.displayData(content);
      });
    };
    const end = await new Promise((done) => {
      const halt = engine.go(module, (m) => {
        if ('code' in m) return done(m);
        if (!much(m)) { showing = showing.then(() => show(m)); return; }
        halt();
        done({ loud: true });
      });
      this.halt = () => { halt(); done(null); };
    });
    this.halt = null;
    await showing;
    if (end === null) return this.interrupted();
    if (end.loud) return this.failed('Stopped', ['The cell wrote too much.']);
    if (end.code === null) return this.failed('Broke off', ['The program broke off.']);
    if (end.code) return this.failed(`Exit status ${end.code}`, [`The cell ended after ${seconds(end.ms)}.`]);
    return { status: 'ok', execution_count: this.executionCount, user_expressions: {} };
  }

  // told is what the compiler says, with the lines of the reader's cell.
  told(fault, cell) {
    const counts = new Map([...this.ran, cell].map((c) => [c.ID, c]));
    return fault.split('\n').map((said) => {
      const m = /^cell (\S+), line (\d+): (.*)$/.exec(said), at = m && counts.get(m[1]);
      if (!at) return said.replace(/^cell (\S+)/, (whole, id) => (id === cell.ID ? 'this cell' : whole));
      const line = at.Text.split('\n')[m[2] - 1] ?? '';
      return `${at === cell ? 'line' : `cell [${at.count}], line`} ${m[2]}: ${m[3]}\n    ${line.trim()}`;
    });
  }

  failed(ename, lines) {
    const content = { ename, evalue: lines[0] ?? '', traceback: [`\x1b[31m${ename}\x1b[0m  ${lines.join('\n')}`] };
    this.publishExecuteError(content);
    return { status: 'error', execution_count: this.executionCount, ...content };
  }

  interrupted() { return this.failed('Interrupted', ['You stopped the cell.']); }

  dispose() {
    this.halt?.();
    super.dispose();
  }

  // ask asks the maker of programs about a place of a text, behind the cells that ran. It is there from the first run on.
  async ask(call, code, at) {
    if (engine.kit !== null) return '';
    return engine.call(call, JSON.stringify(this.ran.map(({ ID, Text }) => ({ ID, Text }))), code, at).catch(() => '');
  }

  async completeRequest({ code, cursor_pos: at }) {
    const none = { status: 'ok', matches: [], cursor_start: at, cursor_end: at, metadata: {} };
    const answer = await this.ask('prlComplete', code, at);
    if (!answer) return none;
    const { Matches, Start, End } = JSON.parse(answer);
    if (!Matches) return none;
    return { ...none, matches: Matches.map((m) => m.text), cursor_start: Start, cursor_end: End, metadata: { _jupyter_types_experimental: Matches } };
  }

  async inspectRequest({ code, cursor_pos: at }) {
    const text = await this.ask('prlExplain', code, at);
    return { status: 'ok', found: !!text, data: text ? { 'text/markdown': text, 'text/plain': text } : {}, metadata: {} };
  }

  async isCompleteRequest() { return { status: 'unknown' }; }
  async commInfoRequest() { return { status: 'ok', comms: {} }; }
  inputReply() {} // no cell asks
  async commOpen() {} // no cell has a widget of Jupyter's
  async commMsg() {}
  async commClose() {}
};

// format sets the text of the active cell as gofmt does.
async function format(app) {
  const cell = app.shell.currentWidget?.content?.activeCell;
  if (cell?.model.type !== 'code') return;
  if (engine.kit !== null) await engine.ready();
  const source = cell.model.sharedModel.getSource(), { text, fault } = await engine.call('prlFormat', source);
  if (fault) app.commands.execute('apputils:notify', { message: fault, type: 'warning', options: { autoClose: 8000 } });
  else if (text !== source && cell.model.sharedModel.getSource() === source) cell.model.sharedModel.setSource(text);
}

// begin opens the first page of the course for a reader who comes without an address of a notebook, and has none open from before.
async function begin(app) {
  await app.restored;
  if (new URLSearchParams(location.search).has('path') || [...app.shell.widgets('main')].some((w) => w.context)) return;
  const there = await app.serviceManager.contents.get('FIRST', { content: false }).catch(() => null);
  if (there) app.commands.execute('docmanager:open', { path: 'FIRST' });
}

let shared = {};

async function load(module) {
  const versions = Object.values(shared[module] || {});
  if (!versions.length) throw new Error(`${name}: JupyterLite does not share ${module}`);
  return (await versions[0].get())();
}

(window._JUPYTERLAB ??= {})[name] = {
  init(scope) { shared = scope; },
  async get() {
    const { BaseKernel, IKernelSpecs, IKernelClient } = await load('@jupyterlite/services');
    const plugin = {
      id: `${name}:kernel`,
      description: 'Runs the cells of Go notebooks in this page.',
      autoStart: true,
      requires: [IKernelSpecs, IKernelClient],
      activate: (app, specs, client) => {
        const Kernel = kernels(BaseKernel), running = new Map();
        specs.register({
          spec,
          create: async (options) => {
            const kernel = new Kernel(options);
            running.set(kernel.id, kernel);
            kernel.disposed.connect(() => running.delete(kernel.id));
            return kernel;
          },
        });
        const interrupt = client.interrupt.bind(client); // takes the cells that wait out of the queue, and leaves the one that runs
        client.interrupt = (id) => { running.get(id)?.halt?.(); return interrupt(id); };
      },
    };
    const { ICommandPalette } = await load('@jupyterlab/apputils');
    const comforts = {
      id: `${name}:comforts`,
      description: 'Sets cells as gofmt does, and opens the first page of the course.',
      autoStart: true,
      optional: [ICommandPalette],
      activate: (app, palette) => {
        const command = 'prl:gofmt';
        app.commands.addCommand(command, { label: 'Format Cell (gofmt)', execute: () => format(app) });
        app.commands.addKeyBinding({ command, keys: ['Accel Shift Y'], selector: '.jp-Notebook' });
        app.contextMenu.addItem({ command, selector: '.jp-CodeCell', rank: 20 });
        if (palette) palette.addItem({ command, category: 'Notebook Cell Operations' });
        begin(app);
      },
    };
    return () => ({ __esModule: true, default: [plugin, comforts] });
  },
};
