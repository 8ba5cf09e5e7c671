// Handles: the points of a live figure that the reader takes hold of in the picture, with pointer, finger or keys. One of them at a time is
// chosen, and an element that can be focused stands on it.

import { clamp, el, plain } from './tools.js';
import { segments } from './controls.js';

const modes = { move: 'Move', add: 'Add', delete: 'Delete', turn: 'Turn class' };

// reshaped moves one of an ellipse's handles: the centre takes both ends along, the end of the first axis turns the second, and the end of the
// second changes its length alone.
export function reshaped([m, a, b], i, [x, y]) {
  const move = ([u, v]) => [u + x - m[0], v + y - m[1]], u = [a[0] - m[0], a[1] - m[1]], w = [b[0] - m[0], b[1] - m[1]];
  if (i === 0) return [[x, y], move(a), move(b)];
  const axis = i === 1 ? [x - m[0], y - m[1]] : u, long = Math.hypot(...axis);
  if (!(long > 0)) return [m, a, b];
  const across = [-axis[1] / long, axis[0] / long], [p, q] = i === 1 ? w : [x - m[0], y - m[1]];
  const size = i === 1 ? Math.sign(u[0] * w[1] - u[1] * w[0]) * Math.hypot(p, q) : p * across[0] + q * across[1];
  return [m, [m[0] + axis[0], m[1] + axis[1]], [m[0] + size * across[0], m[1] + size * across[1]]];
}

export class Handles {
  // live is the figure's Live; it has inputs, value(k), set(k, value, moving), hold() and rest().
  constructor(live, bar) {
    Object.assign(this, { live, figure: live.figure, chosen: 0, held: null, near: -1, mode: 'move', group: 0 });
    const node = (this.node = el('div', 'prl-handle', this.figure.stage));
    node.tabIndex = 0;
    node.setAttribute('role', 'slider');
    node.setAttribute('aria-roledescription', 'movable point');
    node.addEventListener('keydown', (e) => this.onKey(e));
    for (const event of ['focus', 'blur']) node.addEventListener(event, () => this.figure.paintOverlay());
    const grows = live.inputs.find((i) => i.grow), turns = live.inputs.find((i) => i.turn);
    if (grows || turns) this.buildModes(bar, grows, turns);
    this.figure.stage.addEventListener('touchstart', (e) => { if (this.held) e.preventDefault(); }, { passive: false }); // else the page scrolls
    this.figure.stage.addEventListener('click', (e) => this.onClick(e));
  }

  // buildModes: what a press on the plot does. Moving is always possible with the keys.
  buildModes(bar, grows, turns) {
    const kinds = ['move', ...(grows ? ['add', 'delete'] : []), ...(turns ? ['turn'] : [])];
    const bars = segments(bar, (grows || turns).name, kinds.map((m) => modes[m]), (i) => {
      this.mode = kinds[i];
      this.figure.stage.classList.toggle('prl-place', this.mode === 'add');
      if (this.classes) this.classes.hidden = this.mode !== 'add';
    });
    bars.show(0);
    bars.node.classList.add('prl-wide');
    const classes = grows && grows.classes;
    if (!classes || classes.length < 2) return;
    this.classes = el('label', 'prl-field', bars.node);
    el('span', '', this.classes, 'of class');
    const select = el('select', '', this.classes);
    classes.forEach((c, i) => { el('option', '', select, c).value = i; });
    select.addEventListener('change', () => { this.group = +select.value; });
    this.classes.hidden = true;
  }

  // all lists the handles: {k: input, i: row or -1, panel, axis, x, y}.
  all() {
    const out = [];
    this.live.inputs.forEach((input, k) => {
      const v = this.live.value(k), panel = input.panel || 0;
      if (input.kind === 'point') out.push({ k, i: -1, panel, axis: input.axis, x: v[0], y: v[1] });
      if (input.kind === 'ellipse') v.forEach(([x, y], i) => out.push({ k, i, panel, x, y, part: ['centre', 'first axis', 'second axis'][i] }));
      if (input.kind === 'points') v.forEach(([x, y], i) => out.push({ k, i, panel, x, y }));
    });
    return out.filter((h) => this.figure.views && this.figure.views[h.panel]);
  }

  // A logarithmic axis has the logarithms.
  axes(panel) { const p = this.figure.fig.panels[panel]; return [p.x, p.y]; }

  place(h) {
    const [x, y] = this.axes(h.panel), on = (a, v) => (a.log ? Math.log10(v) : v);
    return this.figure.views[h.panel].place(on(x, h.x), on(y, h.y));
  }

  // at gives the numbers at a place of the picture, inside the panel.
  at(panel, [px, py]) {
    const r = this.figure.cells[panel].rect, d = this.figure.domain[panel], [x, y] = this.axes(panel);
    const u = clamp((px - r.x) / r.width, 0, 1), v = clamp((r.y + r.height - py) / r.height, 0, 1), off = (a, w) => (a.log ? 10 ** w : w);
    return [off(x, d.x[0] + u * (d.x[1] - d.x[0])), off(y, d.y[0] + v * (d.y[1] - d.y[0]))];
  }

  // under finds the handle within reach of a place, or -1. What moves along one axis only may be taken anywhere on its line.
  under([px, py], reach, lines) {
    let best = -1, least = reach;
    this.all().forEach((h, j) => {
      const [u, v] = this.place(h), d = Math.hypot(u - px, v - py);
      if (d <= least) { best = j; least = d; }
    });
    if (best < 0 && lines) this.all().forEach((h, j) => {
      if (!h.axis) return;
      const [u, v] = this.place(h), r = this.figure.cells[h.panel].rect, inside = px >= r.x && px <= r.x + r.width && py >= r.y && py <= r.y + r.height;
      const d = h.axis === 'x' ? Math.abs(u - px) : Math.abs(v - py);
      if (inside && d <= Math.min(least, 8)) { best = j; least = d; }
    });
    return best;
  }

  // grab takes the handle under a pointer that goes down, and says whether there is one.
  grab(e, at) {
    const touch = e.pointerType === 'touch', j = e.button === 0 ? this.under(at, touch ? 16 : 12, !touch) : -1;
    this.pressed = at;
    if (j < 0) return false;
    this.choose(j);
    if (this.mode !== 'move') return this.mode !== 'add'; // a press on it does something else
    const h = this.all()[j], [u, v] = this.place(h);
    this.held = { k: h.k, i: h.i, off: [u - at[0], v - at[1]] };
    this.live.hold();
    this.node.focus({ preventScroll: true });
    return true;
  }

  drag(at) {
    const h = this.held && this.all().find((o) => o.k === this.held.k && o.i === this.held.i);
    if (h) this.put(h, this.at(h.panel, [at[0] + this.held.off[0], at[1] + this.held.off[1]]), true);
  }

  drop() {
    if (!this.held) return;
    this.held = null;
    this.live.rest();
    this.figure.paintOverlay();
  }

  // hover says what there is to take hold of under the pointer: the axis along which it moves, "both", or nothing.
  hover(at) {
    const j = at ? this.under(at, 12, true) : -1;
    if (j !== this.near) { this.near = j; this.figure.paintOverlay(); }
    return j < 0 ? '' : this.all()[j].axis || 'both';
  }

  put(h, [x, y], moving) {
    const xy = [h.axis === 'y' ? h.x : x, h.axis === 'x' ? h.y : y], now = this.live.value(h.k);
    if (h.part) return this.live.set(h.k, reshaped(now, h.i, xy), moving);
    this.live.set(h.k, h.i < 0 ? xy : now.map((p, i) => (i === h.i ? [xy[0], xy[1], p[2]] : p)), moving);
  }

  // What grows and turns.
  onClick(e) {
    if (this.mode === 'move' || this.figure.brushing) return;
    const at = this.figure.point(e), c = this.figure.cellAt(e);
    if (!c || (this.pressed && Math.hypot(at[0] - this.pressed[0], at[1] - this.pressed[1]) > 6)) return; // a box was drawn
    if (this.mode === 'add') {
      const k = this.live.inputs.findIndex((i) => i.grow && (i.panel || 0) === c.i);
      if (k >= 0) this.add(k, this.at(c.i, at), this.group);
      return;
    }
    const j = this.under(at, 16, false);
    if (j >= 0) this.mode === 'delete' ? this.remove(j) : this.turn(j);
  }

  add(k, [x, y], group) {
    const list = this.live.value(k);
    if (list.length >= 500) return this.live.quiet('There is room for 500 points.');
    this.live.set(k, [...list, [x, y, group]], false);
    this.choose(this.all().findIndex((h) => h.k === k && h.i === list.length));
  }

  remove(j) {
    const h = this.all()[j];
    if (h.i < 0 || !this.live.inputs[h.k].grow) return;
    const list = this.live.value(h.k);
    if (list.length < 2) return this.live.quiet('The last point stays.');
    this.live.set(h.k, list.filter((_, i) => i !== h.i), false);
    this.choose(Math.min(j, this.all().length - 1));
  }

  turn(j) {
    const h = this.all()[j], input = this.live.inputs[h.k];
    if (h.i < 0 || !input.turn) return;
    const n = (input.classes || []).length || 2;
    this.live.set(h.k, this.live.value(h.k).map((p, i) => (i === h.i ? [p[0], p[1], (p[2] + 1) % n] : p)), false);
  }

  onKey(e) {
    const all = this.all(), n = all.length, h = all[this.chosen];
    if (!h || e.altKey || e.metaKey || (e.ctrlKey && !e.key.startsWith('Arrow'))) return;
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[e.key];
    if (by && e.ctrlKey) this.choose(this.towards(all, by));
    else if (by) {
      const part = e.shiftKey ? 0.05 : 0.01, [u, v] = this.place(h), r = this.figure.cells[h.panel].rect;
      this.put(h, this.at(h.panel, [u + part * by[0] * r.width, v - part * by[1] * r.height]), true);
    } else if (e.key === 'PageDown' || e.key === 'PageUp') this.choose((this.chosen + (e.key === 'PageDown' ? 1 : n - 1)) % n);
    else if (e.key === 'Delete' || e.key === 'Backspace') this.remove(this.chosen);
    else if (e.key === '+' && h.i >= 0 && this.live.inputs[h.k].grow) {
      const [u, v] = this.place(h), r = this.figure.cells[h.panel].rect;
      this.add(h.k, this.at(h.panel, [u + 0.03 * r.width, v]), this.live.value(h.k)[h.i][2]);
    } else if (e.key === 't') this.turn(this.chosen);
    else return;
    e.preventDefault();
    e.stopPropagation();
  }

  // towards is the nearest handle in a direction, or the chosen one.
  towards(all, [dx, dy]) {
    const [u, v] = this.place(all[this.chosen]);
    let best = this.chosen, least = Infinity;
    all.forEach((h, j) => {
      const [a, b] = this.place(h), along = (a - u) * dx - (b - v) * dy, beside = Math.abs((a - u) * dy) + Math.abs((b - v) * dx);
      if (along > 0.5 && along + 2 * beside < least) { best = j; least = along + 2 * beside; }
    });
    return best;
  }

  choose(j) {
    this.chosen = Math.max(0, j);
    this.stand();
    this.figure.paintOverlay();
  }

  // stand puts the element that has the focus on the chosen handle, and says where it is.
  stand() {
    const all = this.all(), h = all[(this.chosen = clamp(this.chosen, 0, Math.max(0, all.length - 1)))];
    this.node.hidden = !h;
    if (!h) return;
    const [u, v] = this.place(h), input = this.live.inputs[h.k], digits = (x) => plain(+x.toPrecision(3));
    Object.assign(this.node.style, { left: u + 'px', top: v + 'px' });
    const name = h.part ? `${input.name}, ${h.part}` : h.i < 0 ? input.name : `${input.name} ${h.i + 1}`, group = h.i >= 0 && !h.part && input.classes && input.classes[this.live.value(h.k)[h.i][2]];
    const more = [all.length > 1 && 'Page Up and Page Down choose another, Control with an arrow the nearest', input.grow && 'plus adds one, Delete removes it', input.turn && 'T turns its class'].filter(Boolean);
    this.node.setAttribute('aria-label', `${name}${all.length > 1 ? `, ${this.chosen + 1} of ${all.length}` : ''}. Arrow keys move it${more.length ? '; ' + more.join('; ') : ''}.`);
    this.node.setAttribute('aria-valuemin', '1');
    this.node.setAttribute('aria-valuemax', String(all.length));
    this.node.setAttribute('aria-valuenow', String(this.chosen + 1));
    this.node.setAttribute('aria-valuetext', `${name}: ${h.axis === 'y' ? '' : digits(h.x)}${h.axis ? '' : ', '}${h.axis === 'x' ? '' : digits(h.y)}${group ? ', ' + group : ''}`);
  }

  // paintOn draws rings: round single points always, since nothing else shows that they move; round others when they are meant.
  paintOn(g, t) {
    const focused = document.activeElement === this.node;
    this.all().forEach((h, j) => {
      const meant = j === this.near || (j === this.chosen && (this.held || focused));
      if (h.i >= 0 && !h.part && !meant) return;
      const [u, v] = this.place(h), r = (h.i > 0 && h.part ? -3 : 0) + (meant ? 10 : 8), b = this.figure.cells[h.panel].rect;
      if (u < b.x - 1 || u > b.x + b.width + 1 || v < b.y - 1 || v > b.y + b.height + 1) return;
      if (h.axis && meant) { // all of its line moves
        g.beginPath();
        if (h.axis === 'x') { g.moveTo(u, b.y); g.lineTo(u, b.y + b.height); } else { g.moveTo(b.x, v); g.lineTo(b.x + b.width, v); }
        Object.assign(g, { lineWidth: 9, strokeStyle: t.fg, globalAlpha: 0.14 });
        g.stroke();
        g.globalAlpha = 1;
      }
      g.beginPath();
      g.arc(u, v, r, 0, 7);
      if (h.i < 0 || h.part) { g.globalAlpha = meant ? 0.3 : 0.15; g.fillStyle = t.fg; g.fill(); g.globalAlpha = 1; }
      g.lineWidth = 4;
      g.strokeStyle = t.bg;
      g.stroke();
      g.lineWidth = meant ? 2.5 : 2;
      g.strokeStyle = t.fg;
      g.stroke();
      if (!h.axis) return;
      for (const s of [-1, 1]) { // arrows along which it moves
        const [a, c] = h.axis === 'x' ? [s, 0] : [0, s], tip = [u + a * (r + 8), v + c * (r + 8)], back = [u + a * (r + 4), v + c * (r + 4)];
        g.beginPath();
        g.moveTo(back[0] + 4 * c, back[1] + 4 * a);
        g.lineTo(...tip);
        g.lineTo(back[0] - 4 * c, back[1] - 4 * a);
        g.stroke();
      }
    });
  }
}
