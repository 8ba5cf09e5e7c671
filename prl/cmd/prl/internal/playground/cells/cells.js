// The cells of a page as its reader changes and runs them. The page holds its notebook without outputs, and the name and hash of the toolchain.

import { edit } from './editor.js';
import { Engine, able } from './engine.js';
import { Outputs } from './outputs.js';
import { Store, save } from './store.js';

const el = (kind, name, parent, text) => {
  const n = document.createElement(kind);
  if (name) n.className = name;
  if (text) n.textContent = text;
  if (parent) parent.append(n);
  return n;
};
const textOf = (raw) => [].concat(raw.source).join('');
// drawn has a live figure of the page begin again, and tells whether its program has drawn it, or is gone.
const drawn = async (moves) => {
  const before = moves.times.at(-1);
  moves.restart();
  while (moves.engine?.up && moves.times.at(-1) === before) await new Promise(requestAnimationFrame);
  return moves.times.at(-1) !== before;
};
const seconds = (ms) => (ms / 1000).toFixed(1) + ' s';

class Cell {
  constructor(page, section, raw) {
    Object.assign(this, { page, section, raw, id: raw.id, printed: textOf(raw), text: textOf(raw), answered: false });
    this.source = section.querySelector('.source');
    this.output = section.querySelector('.output');
    this.bar = el('div', 'go-bar');
    this.bar.setAttribute('role', 'group');
    this.bar.setAttribute('aria-label', this.name);
    const button = (text, title, act) => {
      const b = el('button', '', this.bar, text);
      Object.assign(b, { type: 'button', title });
      b.addEventListener('click', act);
      return b;
    };
    this.editButton = button('Edit', 'Change the code of this cell', () => this.edit());
    this.runButton = button('Run', 'Run this cell (Shift+Enter)', () => this.run());
    this.stopButton = button('Stop', 'End the run', () => this.stop());
    this.resetButton = button(raw.own ? 'Remove' : 'As printed', raw.own ? 'Take this cell away' : 'Code and outputs as they were', () => this.reset());
    this.said = el('span', 'go-said', this.bar);
    this.said.setAttribute('role', 'status');
    (this.source.closest('.hidden-source') ?? this.source).after(this.bar);
    this.outputs = new Outputs(page.engine, this.bar);
    section.addEventListener('keydown', (e) => {
      if (e.key !== 'Enter' || !e.shiftKey || e.defaultPrevented || e.target.closest('.go-output, .output')) return;
      e.preventDefault();
      this.run();
    });
    this.show();
  }

  // name is what the page calls the cell where it speaks of it.
  get name() { return this.raw.own ? 'your cell' : `cell ${this.id}`; }

  show() {
    this.editButton.hidden = !!this.editor;
    this.runButton.disabled = !!this.turn;
    this.stopButton.hidden = !this.turn;
    this.resetButton.hidden = !this.raw.own && this.text === this.printed && !this.outputs.used && !this.editor;
  }

  edit(focus = true) {
    if (!this.editor) {
      const box = this.source.closest('.hidden-source');
      if (box) box.open = true;
      for (const n of this.source.children) n.hidden = true;
      this.place = el('div', 'go-editor', this.source);
      this.editor = edit(this.place, this.text, `Code of ${this.name}. Shift+Enter runs it; Escape, then Tab leaves it.`, (text) => this.changed(text), () => this.run());
    }
    if (focus) this.editor.focus();
    this.show();
  }

  changed(text) {
    this.text = text;
    this.page.store.keep(this);
    this.show();
  }

  reset() {
    this.stop();
    this.text = this.printed;
    this.page.store.keep(this);
    if (this.raw.own) return this.page.remove(this);
    if (this.editor) this.editor.remove();
    this.editor = null;
    if (this.place) this.place.remove();
    for (const n of this.source.children) n.hidden = false;
    this.outputs.clear();
    this.answered = false;
    if (this.output) this.output.hidden = false;
    this.said.textContent = '';
    this.show();
    this.editButton.focus();
  }

  // run waits for its turn: one cell runs at a time.
  run() {
    if (this.turn) return;
    const turn = (this.turn = { ended: false, end: () => {} });
    this.said.textContent = 'waits for its turn …';
    this.show();
    this.page.last = this.page.last.then(() => turn.ended || this.go(turn)).catch((err) => this.finish(turn, `${err.message || err}.`));
  }

  stop() {
    if (this.turn) this.finish(this.turn, 'stopped');
  }

  finish(turn, words) {
    if (turn.ended) return;
    turn.ended = true;
    turn.end();
    this.turn = null;
    this.said.textContent = words;
    this.section.dataset.ran = ++this.page.ran;
    this.show();
  }

  // living gives the live figures below the cell as printed, which the program that came with the page draws. Once the cell has run, or
  // differs from print, or a cell before it does, they are none of its answers.
  living() {
    if (this.outputs.used || !this.output || this.page.changed(this)) return [];
    return [...(window.PrlPlot?.live ?? [])].map((f) => f.moves).filter((m) => m?.engine?.up && this.output.contains(m.figure.host));
  }

  async go(turn) {
    const { engine } = this.page, stopped = new Promise((done) => { turn.end = done; }), living = this.answered ? [] : this.living();
    if (living.length) {
      const began = performance.now();
      this.answered = true; // the next run compiles
      const all = await Promise.race([Promise.all(living.map(drawn)), stopped]);
      if (turn.ended) return;
      const { length } = living, what = length === 1 ? 'its live figure' : `its ${length} live figures`;
      if (all.every(Boolean)) return this.finish(turn, `not changed: ${what} drawn again in ${seconds(performance.now() - began)}. Run once more to compile the cell`);
    }
    this.said.textContent = engine.kit === null ? 'compiles …' : 'starts the compiler, once for this page …';
    await Promise.race([engine.ready(), stopped]);
    if (turn.ended) return;
    this.said.textContent = 'compiles …';
    if (this.editor) this.editor.wrong([]);
    const { module, cost, fault, broken } = await engine.make(this.page.before(this), this.id);
    if (turn.ended) return;
    this.outputs.clear();
    if (this.output) this.output.hidden = true;
    if (broken || fault) {
      this.tell(fault ?? broken);
      return this.finish(turn, broken ? 'the compiler broke off' : 'does not compile');
    }
    this.said.textContent = 'runs …';
    const end = await new Promise((done) => {
      const halt = engine.go(module, (m) => ('code' in m ? done(m) : this.outputs.take(m, () => done({ code: null, loud: true }))));
      turn.end = () => { halt(); done({ code: null }); };
    });
    turn.end();
    if (!turn.ended) await this.outputs.finish({ cell: this.id, module, engine });
    const made = cost.length ? cost.map((c) => `${c.tool === 'link' ? 'linked' : 'compiled'} ${seconds(c.ms)}, `).join('') : 'not changed, ';
    if (end.loud) return this.finish(turn, 'stopped: it wrote too much');
    if (end.code) this.died();
    this.finish(turn, end.code === null ? 'the program broke off' : `${made}ran ${seconds(end.ms)}${end.code ? `, ended with status ${end.code}` : ''}`);
  }

  // tell says what is wrong: at the line if it is in this cell, else below it.
  tell(fault) {
    const here = [], rest = [];
    for (const line of fault.split('\n')) {
      const m = /^cell (\S+), line (\d+): (.*)$/.exec(line);
      if (m && m[1] === this.id) here.push({ line: +m[2], text: m[3] });
      else rest.push(m ? `${this.page.nameOf(m[1])}, line ${m[2]}: ${m[3]}` : line);
    }
    if (here.length) {
      this.edit(false);
      this.editor.wrong(here);
    }
    this.outputs.fault([...here.map((w) => `line ${w.line}: ${w.text}`), ...rest].join('\n'));
  }

  // died shows where a program panicked.
  died() {
    const said = this.outputs.errors, why = /^panic: (.*)$/m.exec(said), at = /cell-(\S+?)\.go:(\d+)/.exec(said);
    if (!why || !at || at[1] !== this.id) return;
    this.edit(false);
    this.editor.wrong([{ line: +at[2], text: `panic: ${why[1]}` }]);
  }
}

class Page {
  constructor(about) {
    this.notebook = JSON.parse(about.textContent);
    this.engine = new Engine({ name: about.dataset.toolchain, sum: about.dataset.sum });
    this.store = new Store(this);
    Object.assign(this, { cells: new Map(), last: Promise.resolve(), ran: 0 });
    for (const raw of this.notebook.cells) {
      const section = raw.cell_type === 'code' && document.getElementById('cell-' + raw.id);
      if (section && section.querySelector('.source')) this.cells.set(raw.id, new Cell(this, section, raw));
    }
    this.more();
    this.store.restore();
    for (const c of this.cells.values()) if (c.raw.metadata.tags?.includes('exercise')) c.edit(false);
  }

  // before gives the cells up to one, as the maker of programs takes them.
  before(cell) {
    const list = [];
    for (const raw of this.notebook.cells) {
      if (raw.cell_type === 'code') list.push({ ID: raw.id, Text: this.cells.get(raw.id)?.text ?? textOf(raw) });
      if (raw.id === cell.id) return list;
    }
    return list;
  }

  // changed reports whether a cell, or one before it, is other than printed.
  changed(cell) {
    const to = this.notebook.cells.indexOf(cell.raw);
    return this.notebook.cells.slice(0, to + 1).some((raw) => raw.own || (this.cells.get(raw.id)?.text ?? textOf(raw)) !== textOf(raw));
  }

  nameOf(id) { return this.cells.get(id)?.name ?? `cell ${id}`; }

  // more puts two buttons at the end of each section, that is before a heading of level 2 and at the end of the text.
  more() {
    const first = [...document.querySelectorAll('main > section.cell.markdown')].filter((s) => s.querySelector('h2'));
    const last = [...document.querySelectorAll('main > section.cell, main > details.solution')].at(-1);
    const place = (id, put) => {
      const row = el('div', 'go-more');
      row.dataset.before = id;
      const button = (text, title, act) => {
        const b = el('button', '', row, text);
        Object.assign(b, { type: 'button', title });
        b.addEventListener('click', act);
      };
      button('+ cell', 'A cell of your own, at the end of this section', () => this.add(id).edit());
      button('Save as .ipynb', 'This chapter with your changes, as a notebook that the lab opens', () => save(this));
      put(row);
    };
    for (const s of first) place(s.id.replace(/^cell-/, ''), (row) => s.before(row));
    if (last) place('', (row) => last.after(row));
  }

  // add makes a cell before the cell whose id is given, or at the end.
  add(before, id = 'own-' + crypto.getRandomValues(new Uint32Array(1))[0].toString(36), text = '') {
    const row = [...document.querySelectorAll('.go-more')].find((r) => r.dataset.before === before);
    const raw = { cell_type: 'code', id, metadata: {}, execution_count: null, outputs: [], source: [], own: { before } };
    const at = this.notebook.cells.findIndex((c) => c.id === before);
    this.notebook.cells.splice(at < 0 ? this.notebook.cells.length : at, 0, raw);
    const section = el('section', 'cell code');
    section.id = 'cell-' + id;
    el('div', 'source', section);
    (row ?? document.querySelector('main')).before(section);
    const cell = new Cell(this, section, raw);
    cell.text = text;
    this.cells.set(id, cell);
    cell.edit(false);
    return cell;
  }

  remove(cell) {
    this.cells.delete(cell.id);
    this.notebook.cells.splice(this.notebook.cells.indexOf(cell.raw), 1);
    cell.section.remove();
    this.store.write();
  }
}

const about = document.querySelector('script#prl-notebook'); // no output of a cell holds a script
if (about && able()) new Page(about);
