// Pointing: what the reader does on the plot with pointer, wheel and keys.

import { clamp, el, insideRing, onSegment, reading } from './tools.js';
import { Drawing } from './drawing.js';

export class Pointing extends Drawing {
  listen() {
    const s = this.stage;
    s.addEventListener('pointermove', (e) => this.onMove(e));
    s.addEventListener('pointerleave', () => { if (!this.drag) this.hover(null); if (this.handles()) this.handles().hover(null); });
    s.addEventListener('pointerdown', (e) => this.onDown(e));
    s.addEventListener('pointerup', (e) => this.onUp(e));
    s.addEventListener('pointercancel', () => { if (this.drag && this.drag.mode === 'handle') this.handles().drop(); this.drag = null; this.paintOverlay(); });
    s.addEventListener('click', (e) => this.onClick(e));
    s.addEventListener('dblclick', () => { if (this.handles() && this.handles().mode !== 'move') return; this.whole(); });
    s.addEventListener('wheel', (e) => {
      const c = (e.ctrlKey || e.metaKey) && this.cellAt(e);
      if (!c) return; // a plain wheel scrolls the page
      e.preventDefault();
      this.scale(c, Math.exp(clamp(e.deltaY, -100, 100) * 0.004), ...this.point(e));
    }, { passive: false });
    s.addEventListener('keydown', (e) => this.onKey(e));
    s.addEventListener('blur', () => this.hover(null));
  }

  point(e) { return this.gauge.read()(e.clientX, e.clientY); }

  // handles are what the reader of a live figure can take hold of.
  handles() { return this.moves && this.moves.handles && this.moves.awake ? this.moves.handles : null; }

  cellAt(e) {
    const [x, y] = this.point(e);
    return (this.cells || []).find(({ rect: r }) => x >= r.x - 4 && x <= r.x + r.width + 4 && y >= r.y - 4 && y <= r.y + r.height + 4);
  }

  onMove(e) {
    const at = this.point(e);
    if (this.drag) {
      const g = this.drag;
      if (g.mode === 'handle') this.handles() && this.handles().drag(at);
      else if (g.mode === 'pan') { this.shift(g.cell, g.at[0] - at[0], g.at[1] - at[1]); g.at = at; } else { g.to = at; this.paintOverlay(); }
      return;
    }
    const c = this.cellAt(e);
    if (c) this.current = c.i;
    const held = this.handles() && e.pointerType !== 'touch' && !this.brushing && this.handles().hover(at);
    for (const axis of ['x', 'y', 'both']) this.stage.classList.toggle('prl-over-' + axis, held === axis);
    this.hover(c ? this.nearest(c, at) : null, at);
  }

  onDown(e) {
    const c = this.cellAt(e);
    this.swept = false;
    if (this.handles() && !this.brushing && this.handles().grab(e, this.point(e))) {
      this.drag = { cell: c, mode: 'handle' };
      try { this.stage.setPointerCapture(e.pointerId); } catch { /* the pointer has gone */ }
      this.stage.classList.add('prl-held');
      this.hover(null);
      if (e.pointerType !== 'touch') e.preventDefault(); // the focus stays on the handle
      return;
    }
    if (!c || e.button !== 0 || (e.pointerType === 'touch' && !this.brushing)) return;
    if (c.p.noAxes && !this.brushing && !e.shiftKey) return;
    this.drag = { cell: c, from: this.point(e), to: this.point(e), at: this.point(e), mode: this.brushing ? 'brush' : e.shiftKey ? 'pan' : 'zoom' };
    try { this.stage.setPointerCapture(e.pointerId); } catch { /* the pointer has gone */ }
    this.hover(null);
  }

  onUp() {
    const g = this.drag;
    this.drag = null;
    if (!g) return;
    this.swept = true; // what follows is the click that ends a drag
    if (g.mode === 'handle') {
      this.stage.classList.remove('prl-held');
      if (this.handles()) this.handles().drop();
      return;
    }
    const { rect: r, i } = g.cell, size = Math.max(Math.abs(g.to[0] - g.from[0]), Math.abs(g.to[1] - g.from[1]));
    this.swept = g.mode === 'brush' || size >= 4;
    const xs = [g.from[0], g.to[0]].map((v) => clamp(v, r.x, r.x + r.width)).sort((a, b) => a - b);
    const ys = [g.from[1], g.to[1]].map((v) => clamp(v, r.y, r.y + r.height)).sort((a, b) => a - b);
    if (g.mode === 'brush') {
      if (size < 4) { this.select(null); } else this.select(this.rowsIn(g.cell, xs, ys));
    } else if (g.mode === 'zoom' && size > 8) {
      const d = this.domain[i], x = (v) => d.x[0] + ((v - r.x) / r.width) * (d.x[1] - d.x[0]), y = (v) => d.y[1] - ((v - r.y) / r.height) * (d.y[1] - d.y[0]);
      let [x0, x1, y0, y1] = [xs[0], xs[1], ys[0], ys[1]];
      if (x1 - x0 < 12) { x0 = r.x; x1 = r.x + r.width; } // a flat box zooms one direction only
      if (y1 - y0 < 12) { y0 = r.y; y1 = r.y + r.height; }
      if (g.cell.p.equal) { // keep the shape of the plot
        const k = Math.max((x1 - x0) / r.width, (y1 - y0) / r.height), cx = (x0 + x1) / 2, cy = (y0 + y1) / 2;
        [x0, x1, y0, y1] = [cx - (k * r.width) / 2, cx + (k * r.width) / 2, cy - (k * r.height) / 2, cy + (k * r.height) / 2];
      }
      this.setDomain(i, [x(x0), x(x1)], [y(y1), y(y0)]);
    }
    this.paintOverlay();
  }

  // A click on a bar or a cell selects the rows that it counts, and another click on it lets them go.
  onClick(e) {
    const c = this.cellAt(e);
    if (!c || this.swept || this.brushing || e.shiftKey || (this.handles() && this.handles().mode !== 'move')) return;
    const { m, i } = this.nearest(c, this.point(e)) || {}, rows = m && m.members && m.members[i];
    if (!rows || !rows.length) return;
    const now = this.group.selected, same = now && now.size === rows.length && rows.every((r) => now.has(r));
    this.select(same ? null : new Set(rows));
  }

  setDomain(i, x, y) {
    const p = this.fig.panels[i], fine = (d, a) => d[1] - d[0] > 1e-4 * (a.hi - a.lo) && d[1] - d[0] < 20 * (a.hi - a.lo);
    if (!fine(x, p.x) || !fine(y, p.y)) return;
    this.domain[i] = { x, y };
    this.draw();
  }

  scale(c, k, px, py) {
    const r = c.rect, d = this.domain[c.i], x = d.x[0] + ((px - r.x) / r.width) * (d.x[1] - d.x[0]), y = d.y[1] - ((py - r.y) / r.height) * (d.y[1] - d.y[0]);
    this.setDomain(c.i, d.x.map((v) => x + k * (v - x)), d.y.map((v) => y + k * (v - y)));
  }

  shift(c, dx, dy) {
    const r = c.rect, d = this.domain[c.i], mx = (dx / r.width) * (d.x[1] - d.x[0]), my = (-dy / r.height) * (d.y[1] - d.y[0]);
    this.setDomain(c.i, d.x.map((v) => v + mx), d.y.map((v) => v + my));
  }

  onKey(e) {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target !== this.stage || !this.cells) return;
    const c = this.cells[this.current || 0] || this.cells[0], r = c.rect, mid = [r.x + r.width / 2, r.y + r.height / 2];
    const act = {
      '+': () => this.scale(c, 0.8, ...mid), '=': () => this.scale(c, 0.8, ...mid), '-': () => this.scale(c, 1.25, ...mid),
      ArrowLeft: () => this.shift(c, -r.width / 10, 0), ArrowRight: () => this.shift(c, r.width / 10, 0), ArrowUp: () => this.shift(c, 0, -r.height / 10), ArrowDown: () => this.shift(c, 0, r.height / 10),
      0: () => this.reset(), Escape: () => (this.brushing ? this.setBrush(false) : this.hover(null)),
    }[e.key];
    if (!act) return;
    e.preventDefault();
    e.stopPropagation(); // notebooks have single-key commands of their own
    act();
  }

  rowsIn(c, xs, ys) {
    const rows = new Set(), place = this.views[c.i].place;
    for (const { panel, m } of this.marks()) {
      if (panel !== c.i || this.hidden.has(m.key)) continue;
      if (m.members) {
        for (let i = 0; i < m.n; i++) {
          const a = place(m.xy[2 * i], m.xy[2 * i + 1]), b = place(m.xy2[2 * i], m.xy2[2 * i + 1]), meets = (k, [from, to]) => Math.min(a[k], b[k]) < to && Math.max(a[k], b[k]) > from;
          if (meets(0, xs) && meets(1, ys)) for (const r of m.members[i]) rows.add(r);
        }
        continue;
      }
      if (!m.rw || m.rings) continue;
      for (let i = 0; i < m.n; i++) {
        const [x, y] = place(m.xy[2 * i], m.xy[2 * i + 1]);
        if (x >= xs[0] && x <= xs[1] && y >= ys[0] && y <= ys[1]) rows.add(m.rw[i]);
      }
    }
    return rows;
  }

  select(rows) {
    if (!rows && !this.group.selected) return;
    this.group.selected = rows;
    for (const f of this.group.members) f.draw();
  }

  // nearest finds the shape a reader points at: a symbol close by, then an arrow, a line, and last the area underneath.
  nearest(c, [px, py]) {
    const place = this.views[c.i].place, order = { symbols: 0, arrows: 1, texts: 1, paths: 2, rects: 3, areas: 4 };
    let best = null;
    const offer = (m, i, distance, reach, x, y) => {
      if (!(distance <= reach)) return;
      const rank = order[m.k] * 1000 + distance;
      if (!best || rank <= best.rank) best = { cell: c, m, i, rank, x, y };
    };
    for (const { panel, m } of this.marks()) {
      if (panel !== c.i || this.hidden.has(m.key)) continue;
      if (m.k === 'symbols' || (m.k === 'texts' && m.nt)) {
        for (let i = 0; i < m.n; i++) {
          const [x, y] = place(m.xy[2 * i], m.xy[2 * i + 1]);
          offer(m, i, Math.hypot(x - px, y - py), Math.max(11, (m.sz ? m.sz[i] : m.size) / 2 + 3), x, y);
        }
      } else if (m.k === 'rects' && (m.nt || m.key)) {
        for (let i = 0; i < m.n; i++) {
          const a = place(m.xy[2 * i], m.xy[2 * i + 1]), b = place(m.xy2[2 * i], m.xy2[2 * i + 1]);
          if (px >= Math.min(a[0], b[0]) && px <= Math.max(a[0], b[0]) && py >= Math.min(a[1], b[1]) && py <= Math.max(a[1], b[1])) offer(m, i, 0, 1, px, py);
        }
      } else if (m.k === 'arrows') {
        for (let i = 0; i < m.n; i++) { const s = onSegment(place(m.xy[2 * i], m.xy[2 * i + 1]), place(m.xy2[2 * i], m.xy2[2 * i + 1]), px, py); offer(m, i, s.distance, 6, s.x, s.y); }
      } else if (m.k === 'paths' && (m.nt || m.key)) {
        m.rings.forEach((ring, i) => {
          for (let k = 2; k < ring.length; k += 2) { const s = onSegment(place(ring[k - 2], ring[k - 1]), place(ring[k], ring[k + 1]), px, py); offer(m, i, s.distance, 7, s.x, s.y); }
        });
      } else if (m.k === 'areas' && m.nt) {
        m.rings.forEach((ring, i) => { if (insideRing(ring, place, px, py)) offer(m, m.nt.length === m.n ? i : 0, 0, 1, px, py); });
      }
    }
    return best;
  }

  hover(hit, at) {
    const row = hit && hit.m.rw ? hit.m.rw[hit.i] : -1, same = this.hit && hit && this.hit.m === hit.m && this.hit.i === hit.i && hit.m.k === 'symbols';
    this.hit = hit;
    if (this.group.hover !== row || (row < 0 && this.group.hover >= 0)) {
      this.group.hover = row;
      for (const f of this.group.members) if (f !== this) f.paintOverlay();
    }
    if (this.chart) this.paintOverlay();
    if (!hit) { this.tip.hidden = true; return; }
    if (!same) this.fillTip(hit);
    this.tip.hidden = false;
    const w = this.tip.offsetWidth, h = this.tip.offsetHeight, x = hit.m.k === 'symbols' ? hit.x : at[0], y = hit.m.k === 'symbols' ? hit.y : at[1];
    const left = x + 12 + w > this.width ? x - 12 - w : x + 12;
    this.tip.style.left = clamp(left, 0, Math.max(0, this.width - w)) + 'px';
    this.tip.style.top = (y - h - 10 < -this.head.offsetHeight ? y + 14 : y - h - 10) + 'px';
  }

  fillTip({ cell: c, m, i, x, y }) {
    this.tip.replaceChildren();
    const entry = (this.fig.legend || []).find((e) => e.key === m.key && m.key), note = m.nt && m.nt[i];
    const lines = note ? note.split('\n') : [];
    if (entry && lines[0] !== entry.label) lines.unshift(entry.label);
    if (!note && m.k !== 'areas' && m.k !== 'rects') {
      const r = c.rect, d = this.domain[c.i], symbol = m.k === 'symbols' || m.k === 'texts';
      const vx = symbol ? m.xy[2 * i] : d.x[0] + ((x - r.x) / r.width) * (d.x[1] - d.x[0]), vy = symbol ? m.xy[2 * i + 1] : d.y[1] - ((y - r.y) / r.height) * (d.y[1] - d.y[0]);
      if (!c.p.noAxes) lines.push(`${c.p.x.label || 'x'}: ${reading(c.p.x, vx)}`, `${c.p.y.label || 'y'}: ${reading(c.p.y, vy)}`);
    }
    if (m.members && m.members[i].length) lines.push('click: select its rows');
    lines.forEach((s, k) => el('div', k === 0 && (entry || lines.length > 1) ? 'prl-tip-head' : '', this.tip, s));
    if (!lines.length) this.tip.hidden = true;
  }
}
