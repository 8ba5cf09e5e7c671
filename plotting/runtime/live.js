// A live figure: what the reader sets goes to the notebook's own program (engine.js), and the picture that it draws comes back. The newest
// wish wins: one step is under way and one waits. While the hand moves the steps are drafts; when it rests comes the whole picture.
//
// <img data-prl-live='{"cell": ..., "n": ..., "inputs": [...]}'> names the function; what it shows stands in the .prl-live-out behind it.
// <img data-prl-film='{..., "stops": [...]}'> is a figure with frames, whose slider has those stops; without its program it stays that.
// In a lab, which builds the program in the background, it is that until the program has answered, and goes on where its reader is then.

import { el } from './tools.js';
import { Unable, engineFor } from './engine.js';
import { controls, read, spell, start } from './controls.js';
import { Handles } from './handles.js';

const rest = 160; // milliseconds without a move after which the hand rests
const pause = 700; // milliseconds between two turns of one input that make them two moves
const memory = 100; // moves that can be undone, and times that are kept

const instruments = new Set(); // the live figures of the page

export class Live {
  constructor(figure, img) {
    const { cell, n, inputs, stops } = JSON.parse(img.getAttribute('data-prl-live') || img.getAttribute('data-prl-film'));
    Object.assign(this, { figure, cell, n, inputs, stops, given: inputs.map(() => null), past: [], times: [], awake: false, wanted: null, flying: false });
    this.frame = img.closest('.prl-live');
    this.begins = this.frame && this.frame.querySelector('.prl-live-out');
    this.source = img.getAttribute('data-prl-src') || '';
    this.film = !!(stops && this.source); // it shows its frames for now
    this.seen = this.film && figure.fig.frames.start; // the frame whose picture is asked for
    this.interval = (figure.fig.frames && figure.fig.frames.interval) || 700;
    this.build();
    this.near = new IntersectionObserver((seen) => {
      if (seen.some((s) => s.isIntersecting)) { this.near.disconnect(); this.wake(); } else figure.host.classList.remove('prl-waking');
    }, { rootMargin: '400px' });
  }

  // ---- what stands on the page ----

  build() {
    const f = this.figure;
    this.bar = el('div', 'prl-inputs');
    f.box.insertBefore(this.bar, f.stage); // in sight together with the picture
    this.bar.setAttribute('role', 'group');
    this.bar.setAttribute('aria-label', 'Inputs');
    if (this.stops) this.buildPlay();
    if (this.inputs.some((i) => i.kind === 'point' || i.kind === 'points' || i.kind === 'ellipse')) this.handles = new Handles(this, this.bar);
    this.shown = this.inputs.map((input, k) => controls[input.kind] && controls[input.kind](this.bar, input, (v, moving) => this.set(k, v, moving)));
    const deeds = el('div', 'prl-deeds', this.bar), button = (name, hint, act) => {
      const b = el('button', '', deeds, name);
      Object.assign(b, { type: 'button', title: hint, disabled: true });
      b.addEventListener('click', act);
      return b;
    };
    if (this.handles) el('span', 'prl-hint', deeds, this.hint());
    this.undoButton = button('Undo', 'Take the last move back (Ctrl Z)', () => this.undo());
    this.againButton = button('Start again', 'Everything as it was at first', () => this.restart());
    this.line = el('div', 'prl-quiet', f.box); // what went wrong, in a few words
    this.line.setAttribute('role', 'status');
    this.line.hidden = true;
    this.said = el('div', 'prl-said', f.box); // for readers who listen
    this.said.setAttribute('aria-live', 'polite');
    this.now = el('div', 'prl-live-now');
    f.host.after(this.now);
    f.host.classList.toggle('prl-lives', !this.film);
    if (this.cell && !document.getElementById('jupyter-config-data')) f.tool('Link', 'Copy the address of this page with the figure as it stands', () => this.copy());
    this.bar.addEventListener('pointerdown', () => this.hold());
    for (const event of ['pointerup', 'pointercancel']) this.bar.addEventListener(event, () => this.rest());
    f.box.addEventListener('keydown', (e) => {
      if (!(e.ctrlKey || e.metaKey) || e.shiftKey || e.altKey || e.key.toLowerCase() !== 'z' || e.target.type === 'text') return; // a text has an undo of its own
      e.preventDefault();
      e.stopPropagation();
      this.undo();
    });
    this.show();
  }

  // hint says what can be dragged.
  hint() {
    const points = this.inputs.filter((i) => i.kind === 'point'), others = this.inputs.some((i) => i.kind === 'ellipse');
    const ring = points.length > 1 || others ? 'rings' : 'ring', on = (axis) => !others && points.every((i) => i.axis === axis);
    if (this.inputs.some((i) => i.kind === 'points')) return points.length || others ? `Drag the points and the ${ring}` : 'Drag the points';
    if (on('x')) return `\u2194 Drag the ${ring} left or right, anywhere along the line`;
    if (on('y')) return `\u2195 Drag the ${ring} up or down, anywhere along the line`;
    return `Drag the ${ring}`;
  }

  // buildPlay: a film plays from stop to stop.
  buildPlay() {
    const button = el('button', 'prl-play', this.bar), { stops } = this, last = stops[stops.length - 1];
    button.type = 'button';
    const face = (on) => { button.textContent = on ? '\u275A\u275A' : '\u25B6\uFE0E'; button.title = on ? 'Pause' : 'Play'; button.setAttribute('aria-label', button.title); };
    this.halt = () => { clearInterval(this.playing); this.playing = 0; face(false); };
    this.halt();
    button.addEventListener('click', () => {
      if (this.playing) return this.halt();
      const way = Math.sign(last - stops[0]), now = this.value(0), ended = (last - now) * way <= 0;
      let at = ended ? -1 : stops.findLastIndex((s) => (s - now) * way <= 0);
      this.playing = setInterval(() => {
        if (!this.figure.host.isConnected || ++at >= stops.length) return this.halt();
        this.set(0, stops[at], false);
        if (at === stops.length - 1) this.halt();
      }, this.interval);
      face(true);
    });
    this.bar.addEventListener('input', this.halt); // the reader's hand takes the slider over
  }

  // pin keeps the controls in sight while the reader scrolls over a figure that is as tall as the window, unless they would fill it.
  pin() {
    const { bar, figure } = this;
    bar.classList.toggle('prl-pinned', figure.box.offsetHeight > 0.7 * innerHeight && bar.offsetHeight < 0.3 * innerHeight);
  }

  // show puts the values into the controls, and the buttons as they can be pressed.
  show(but) {
    this.shown.forEach((c, k) => { if (c && k !== but) c.show(this.value(k)); });
    if (this.handles) this.handles.stand();
    this.undoButton.disabled = !this.past.length;
    this.againButton.disabled = this.given.every((v) => v === null);
  }

  quiet(words) {
    this.line.textContent = words || '';
    this.line.hidden = !words;
  }

  // ---- what the reader sets ----

  value(k) { return this.given[k] ?? start(this.inputs[k]); }

  set(k, value, moving) {
    const now = performance.now();
    if (JSON.stringify(value) === JSON.stringify(this.value(k))) return this.wish(moving); // as at the end of a move
    if (this.mover !== k || !(this.holding || now - this.movedAt < pause)) this.remember();
    Object.assign(this, { mover: k, movedAt: now });
    this.given[k] = value;
    this.show(k);
    this.figure.paintOverlay();
    this.wish(moving);
  }

  hold() { this.holding = true; this.mover = -1; }

  rest() {
    if (this.mover >= 0) this.wish(false);
    Object.assign(this, { holding: false, mover: -1 });
  }

  remember() {
    this.past.push(this.given.slice());
    if (this.past.length > memory) this.past.shift();
  }

  // become takes other values as one move of its own.
  become(given) {
    this.given = given;
    this.mover = -1;
    this.show();
    this.figure.paintOverlay();
    this.wish(false);
  }

  undo() { if (this.past.length) this.become(this.past.pop()); }

  restart() {
    this.remember();
    this.become(this.inputs.map(() => null));
  }

  // ---- steps ----

  // attend waits until the figure comes near the view, and then starts the program. Until it is known to be away from the view, or the program
  // has answered, the figure is waking: what stands on the page may change.
  attend() {
    instruments.add(this);
    if (!this.awake) {
      this.figure.host.classList.add('prl-waking');
      this.near.observe(this.figure.host);
    }
    follow();
  }

  leave() {
    instruments.delete(this);
    this.near.disconnect();
    clearTimeout(this.resting);
    if (this.engine) this.engine.leave(this);
    Object.assign(this, { engine: null, awake: false });
  }

  async wake() {
    const lab = window.PrlLab, home = lab && lab.home(this.figure.host);
    if (home && !this.source) Object.assign(this, { home, source: home.chapter, cell: home.cell }); // as a notebook is kept, its figures do not name their cell
    const { engine, none } = engineFor(this.source, this);
    if (!engine) return this.stay(none);
    Object.assign(this, { engine, awake: true });
    this.figure.host.classList.add('prl-waking');
    if (engine.news && !this.film) this.quiet(engine.news);
    try { await engine.start(); } catch (err) { if (this.engine === engine) this.stay(this.source ? err.message : 'its program is damaged', err); return; }
    if (this.engine === engine) this.overtake();
  }

  // overtake asks for the picture of the frame that a film shows.
  overtake() {
    const { step } = this.figure;
    if (this.film && step !== this.seen) this.given[0] = this.stops[(this.seen = step)];
    this.wish(false);
  }

  // takeOver puts the inputs in the place of the slider of the frames, unless the reader has it in the hand or has gone on; then it asks again.
  takeOver() {
    const { range, step, playing, host } = this.figure, here = range === document.activeElement;
    if (step !== this.seen || range.matches(':active')) {
      this.resting = setTimeout(() => this.overtake(), rest);
      return false;
    }
    this.film = false;
    host.classList.add('prl-lives');
    this.show();
    if (here) this.bar.querySelector('.prl-range').focus({ preventScroll: true });
    if (playing) this.bar.querySelector('.prl-play').click();
    return true;
  }

  // stay leaves the still, its frames and what stood below it, where nothing can run.
  stay(why, err) {
    if (this.engine) this.engine.leave(this);
    Object.assign(this, { engine: null, awake: false, wanted: null });
    this.figure.host.classList.remove('prl-waking');
    this.figure.host.classList.add('prl-stays');
    if (this.halt) this.halt();
    this.quiet(this.stops ? '' : err instanceof Unable ? why : `This figure does not compute here: ${why}.`); // a film has its frames
    if (err && !(err instanceof Unable)) console.warn('prl: a live figure stays still:', err);
  }

  wish(moving) {
    clearTimeout(this.resting);
    if (moving) this.resting = setTimeout(() => this.wish(false), rest);
    this.wanted = { draft: !!moving };
    this.send();
  }

  send() {
    if (!this.engine || this.flying || !this.wanted) return;
    if (!this.engine.up) { // it has ended, or has not begun
      this.engine.start().then(() => this.send(), () => this.stay('its program has ended'));
      return;
    }
    const wish = Object.assign(this.wanted, { asked: performance.now() });
    this.wanted = null;
    this.flying = true;
    this.engine.ask({ cell: this.cell, n: this.n, given: JSON.stringify(this.given), draft: wish.draft }, (answer) => this.answered(wish, answer));
  }

  // answered asks for the next step before it paints this one, so that both happen at once.
  answered(wish, answer) {
    this.flying = false;
    if (answer.lost) {
      this.wanted = this.wanted || wish;
      return this.send();
    }
    if (answer.ended && this.stops && this.figure.fig.frames) return this.stay(answer.ended); // nothing came between the frames yet
    if (answer.ended) return this.quiet(`The program stopped here: ${answer.ended}. Undo, or start again.`);
    this.send();
    const painting = this.news;
    this.news = { wish, answer };
    if (!painting) requestAnimationFrame(() => { const { wish, answer } = this.news; this.news = null; this.take(wish, answer); });
  }

  take(wish, { text, ms }) {
    const began = performance.now(), { inputs, spec, html, fault } = JSON.parse(text), { host } = this.figure;
    if (this.stops && !spec && this.figure.fig.frames) return this.stay(fault);
    if (this.film && !this.takeOver()) return;
    if (inputs) this.adopt(inputs);
    host.classList.remove('prl-waking');
    host.classList.add('prl-moves');
    host.classList.toggle('prl-stale', !spec);
    if (spec) this.figure.renew(spec, wish.draft);
    if (html !== undefined) this.tell(html);
    this.quiet(fault && fault[0].toUpperCase() + fault.slice(1) + '.');
    if (this.handles) this.handles.stand();
    if (!wish.draft) this.said.textContent = this.figure.fig.subtitle || '';
    const done = performance.now();
    this.times.push({ draft: wish.draft, step: ms, paint: done - began, whole: done - wish.asked });
    if (this.times.length > memory) this.times.shift();
  }

  // adopt takes inputs that begin elsewhere, because another input has another value. What the reader has set stays.
  adopt(inputs) {
    inputs.forEach((input, k) => {
      const was = this.inputs[k];
      if (!was || was.kind !== input.kind || this.given[k] !== null || JSON.stringify(was) === JSON.stringify(input)) return;
      this.inputs[k] = input;
      const old = this.shown[k];
      if (!old) return;
      const place = document.createComment('');
      old.node.replaceWith(place);
      this.shown[k] = controls[input.kind](this.bar, input, (v, moving) => this.set(k, v, moving));
      place.replaceWith(this.shown[k].node);
      this.shown[k].show(this.value(k));
    });
  }

  // tell shows what the function has shown: tables, checks, blocks. Proofs that the reader has opened stay open.
  tell(html) {
    if (html === this.html) return;
    this.html = html;
    const open = [...this.now.querySelectorAll('details')].map((d) => d.open), page = new DOMParser().parseFromString(html, 'text/html'); // runs nothing
    for (const node of page.querySelectorAll('*')) {
      if (/^(script|style|link|meta|base|iframe|frame|object|embed|form)$/i.test(node.nodeName)) { node.remove(); continue; }
      for (const { name, value } of [...node.attributes]) if (/^on/i.test(name) || /^\s*javascript:/i.test(value) || (name === 'style' && /url\(|position\s*:\s*(fixed|absolute|sticky)/i.test(value))) node.removeAttribute(name);
    }
    this.now.replaceChildren(...page.body.childNodes);
    this.now.querySelectorAll('details').forEach((d, i) => { if (open[i]) d.open = true; });
    if (this.begins) this.begins.classList.add('prl-begins');
  }

  // ---- links ----

  // address is the link to this figure as it stands.
  address() {
    const set = this.inputs.map((input, k) => (this.given[k] === null ? '' : encodeURIComponent(input.name) + '=' + encodeURIComponent(spell(input, this.given[k])))).filter(Boolean);
    return '#fig=' + encodeURIComponent(this.cell) + (this.n ? '.' + this.n : '') + (set.length ? '?' + set.join('&') : '');
  }

  copy() {
    history.replaceState(null, '', this.address());
    const said = navigator.clipboard ? navigator.clipboard.writeText(location.href) : Promise.reject();
    said.then(() => this.quiet('The address is copied.'), () => this.quiet('The address of the page has it now.'));
  }

  // follow sets what a link says; without a word it starts again.
  follow(set) {
    const given = set.length ? this.given.slice() : this.inputs.map(() => null);
    for (const [name, words] of set) {
      const k = this.inputs.findIndex((i) => i.name === name), v = k < 0 ? undefined : read(this.inputs[k], words);
      if (v !== undefined) given[k] = v;
    }
    this.remember();
    this.become(given);
    const { host } = this.figure, r = host.getBoundingClientRect();
    if (r.bottom < 80 || r.top > innerHeight - 80) host.scrollIntoView({ block: 'center' });
  }
}

// A link to a live figure: #fig=CELL?name=value&name=value, where CELL.1 is the second live figure of a cell. In an address of the page it
// says how the figure begins, and in prose a click on it sets the figure.
const link = /^#fig=([^?]*)(?:\?(.*))?$/;

function parse(hash) {
  const m = link.exec(hash);
  if (!m) return null;
  const plain = (s) => { try { return decodeURIComponent(s); } catch { return s; } };
  return { name: plain(m[1]), set: (m[2] || '').split('&').filter(Boolean).map((pair) => { const [name, ...value] = pair.split('='); return [plain(name), plain(value.join('='))]; }) };
}

// meant is the figure of a link: the one of that cell; in a notebook, some of whose figures do not know their cell, else the next one that
// has its inputs. A lab shows several notebooks: the link means a figure of its own.
function meant({ name, set }, from) {
  const page = from && from.closest('.jp-Notebook'), all = [...instruments].filter((l) => !page || page.contains(l.figure.host));
  const exact = all.find((l) => l.cell && (name === l.cell + '.' + l.n || (l.n === 0 && name === l.cell)));
  if (exact || !from) return exact;
  const fits = all.filter((l) => (!l.cell || l.home) && set.every(([word]) => l.inputs.some((i) => i.name === word))), y = from.getBoundingClientRect().top;
  const away = (l) => Math.abs(l.figure.host.getBoundingClientRect().top - y);
  return fits.sort((a, b) => away(a) - away(b))[0];
}

document.addEventListener('click', (e) => {
  const a = e.target.closest && e.target.closest('a[href*="#fig="]'), to = a && parse(a.hash), one = to && meant(to, a);
  if (!one || e.defaultPrevented || e.button !== 0 || e.ctrlKey || e.metaKey || e.shiftKey) return;
  e.preventDefault();
  e.stopPropagation();
  one.follow(to.set);
}, true);

// follow sets the figure that the address of the page names, once it is there.
let asked = parse(location.hash);
function follow() {
  const one = asked && meant(asked);
  if (!one) return;
  const { set } = asked;
  asked = null;
  if (set.length) one.follow(set); else one.figure.host.scrollIntoView({ block: 'center' });
}
window.addEventListener('hashchange', () => { asked = parse(location.hash); follow(); });
