// Marks: their coordinates unpacked, and the pens that paint them, one a series, as elements of ECharts' custom series.

import { textWidth } from './tools.js';

const { font } = config;
const MISSING = -2147483648;

// fitting tells which texts of a mark meet no text that stands already, and notes their boxes [left, top, right, bottom].
export function fitting(m, { place }, boxes) {
  return m.t.map((t, i) => {
    const [x, y] = place(m.xy[2 * i], m.xy[2 * i + 1]), [dx, dy] = m.o || [0, 0], size = sizeOf(m, i), w = textWidth(t, size, m.b);
    const left = x + dx - ({ start: 0, end: w }[m.ah] ?? w / 2), top = y + dy - ({ top: 0, bottom: size }[m.av] ?? size / 2);
    const box = [left, top, left + w, top + size], free = !boxes.some((b) => box[0] < b[2] && b[0] < box[2] && box[1] < b[3] && b[1] < box[3]);
    if (free) boxes.push(box);
    return free;
  });
}

const sizeOf = (m, i) => (m.sz ? m.sz[i] : m.size || 12); // of a text

export function unpack(m, panel) {
  if (m.ready) return m;
  m.ready = true;
  m.key = m.key || '';
  const value = (axis) => (q) => (q === MISSING ? NaN : axis.lo + (q / m.u) * (axis.hi - axis.lo));
  const x = value(panel.x), y = value(panel.y);
  const pairs = (q) => { const out = new Float64Array(q.length); for (let i = 0; i < q.length; i += 2) { out[i] = x(q[i]); out[i + 1] = y(q[i + 1]); } return out; };
  if (m.r) {
    let at = 0;
    m.rings = m.r.map((n) => {
      const ring = new Float64Array(2 * n);
      let qx = 0, qy = 0;
      for (let i = 0; i < n; i++, at += 2) { qx += m.q[at]; qy += m.q[at + 1]; ring[2 * i] = x(qx); ring[2 * i + 1] = y(qy); }
      return ring;
    });
  } else {
    m.xy = pairs(m.q || []);
    if (m.q2) m.xy2 = pairs(m.q2);
  }
  m.n = m.rings ? m.rings.length : m.xy.length / 2;
  if (m.bl) { // the rows that bars count
    let from = 0;
    m.members = m.bl.map((n) => m.br.slice(from, (from += n)));
  }
  if (m.r0 !== undefined) m.rw = Array.from({ length: m.n }, (_, i) => m.r0 + i);
  return m;
}

// ---- shapes ------------------------------------------------------------------------------------------------------------------

// outline gives the vertices of a marker of diameter d around the origin; all markers of one size have about one area.
export function outline(symbol, d) {
  const r = d / 2, poly = (...p) => p;
  switch (symbol) {
    case 'square': { const a = 0.886 * r; return poly([-a, -a], [a, -a], [a, a], [-a, a]); }
    case 'diamond': { const a = 1.2533 * r; return poly([0, -a], [a, 0], [0, a], [-a, 0]); }
    case 'triangle': { const a = 1.347 * r; return poly([0, -a], [0.866 * a, a / 2], [-0.866 * a, a / 2]); }
    case 'down': { const a = 1.347 * r; return poly([0, a], [0.866 * a, -a / 2], [-0.866 * a, -a / 2]); }
    case 'star': return Array.from({ length: 10 }, (_, i) => { const a = (i % 2 ? 0.56 : 1.4) * r, t = (Math.PI * i) / 5; return [a * Math.sin(t), -a * Math.cos(t)]; });
  }
  return null;
}
export const strokesOf = { plus: [[-1, 0, 1, 0], [0, -1, 0, 1]], cross: [[-0.78, -0.78, 0.78, 0.78], [-0.78, 0.78, 0.78, -0.78]] };

// ---- pens --------------------------------------------------------------------------------------------------------------------

function dip(g, { fill, stroke, lineWidth, lineDash, opacity }) {
  g.globalAlpha = opacity;
  if (fill !== 'none') g.fillStyle = fill;
  if (stroke !== 'none') g.strokeStyle = stroke;
  g.lineWidth = lineWidth;
  g.setLineDash(lineDash || []);
}

function ink(g, { fill, stroke, lineWidth }) {
  if (fill !== 'none') g.fill();
  if (stroke !== 'none' && lineWidth > 0) g.stroke();
}

function follow(g, points, closed) {
  points.forEach(([x, y], k) => (k ? g.lineTo(x, y) : g.moveTo(x, y)));
  if (closed) g.closePath();
}

function trace(g, ring, place, closed) {
  for (let k = 0; k < ring.length; k += 2) {
    const [x, y] = place(ring[k], ring[k + 1]);
    if (k) g.lineTo(x, y); else g.moveTo(x, y);
  }
  if (closed) g.closePath();
}

function line(g, s, { x1, y1, x2, y2 }) {
  dip(g, s);
  g.beginPath();
  g.moveTo(x1, y1);
  g.lineTo(x2, y2);
  g.stroke();
}

// painters draw mark i of m with the ink s, which is dipped where marks of one kind need it so.
const painters = {
  areas(g, m, i, v, s) {
    g.beginPath();
    for (const ring of m.fs || m.ss ? [m.rings[i]] : m.rings) trace(g, ring, v.place, true);
    ink(g, s);
  },
  paths(g, m, i, v, s) {
    g.lineJoin = 'round';
    g.lineCap = m.d ? 'butt' : 'round';
    g.beginPath();
    trace(g, m.rings[i], v.place, false);
    ink(g, { ...s, fill: 'none' });
  },
  symbols(g, m, i, v, s) {
    const [x, y] = v.place(m.xy[2 * i], m.xy[2 * i + 1]);
    if (!isFinite(x + y)) return;
    const d = m.sz ? m.sz[i] : m.size, strokes = strokesOf[m.sy];
    g.beginPath();
    if (strokes) {
      for (const [a, b, c, e] of strokes) { g.moveTo(x + (a * d) / 2, y + (b * d) / 2); g.lineTo(x + (c * d) / 2, y + (e * d) / 2); }
      if (s.stroke === 'none') g.strokeStyle = s.fill;
      g.lineWidth = Math.max(s.lineWidth, d / 4.5);
      g.stroke();
      return;
    }
    const points = outline(m.sy, d);
    if (points) follow(g, points.map(([a, b]) => [x + a, y + b]), true); else { g.moveTo(x + d / 2, y); g.arc(x, y, d / 2, 0, 2 * Math.PI); }
    ink(g, s);
  },
  rects(g, m, i, v, s) {
    const a = v.place(m.xy[2 * i], m.xy[2 * i + 1]).map(Math.round), b = v.place(m.xy2[2 * i], m.xy2[2 * i + 1]).map(Math.round);
    const x = Math.min(a[0], b[0]), y = Math.min(a[1], b[1]), width = Math.abs(a[0] - b[0]), height = Math.abs(a[1] - b[1]), share = m.members && v.share(m.members[i]);
    const bar = (y, height) => { g.beginPath(); g.rect(x, y, width, height); ink(g, s); };
    if (share === undefined || share === 1) return bar(y, height);
    g.globalAlpha = 0.2;
    bar(y, height);
    g.globalAlpha = s.opacity;
    bar(m.xy2[2 * i + 1] < m.xy[2 * i + 1] ? y : y + height * (1 - share), height * share); // from the base of the bar
  },
  arrows(g, m, i, v, s) {
    const a = v.place(m.xy[2 * i], m.xy[2 * i + 1]), b = v.place(m.xy2[2 * i], m.xy2[2 * i + 1]);
    const dx = b[0] - a[0], dy = b[1] - a[1], length = Math.hypot(dx, dy);
    if (!(length > 0)) return;
    const h = Math.min(length, 5 + 2.2 * (m.w || 1.5)), ux = dx / length, uy = dy / length, half = 0.42 * h;
    const foot = [b[0] - ux * h, b[1] - uy * h];
    const shaft = { x1: a[0], y1: a[1], x2: b[0] - 0.7 * ux * h, y2: b[1] - 0.7 * uy * h }, head = [b, [foot[0] - uy * half, foot[1] + ux * half], [foot[0] + uy * half, foot[1] - ux * half]];
    const tip = (s) => { dip(g, s); g.beginPath(); follow(g, head, true); ink(g, s); };
    if (m.h) {
      const halo = { fill: 'none', stroke: v.theme.bg, opacity: s.opacity };
      line(g, { ...halo, lineWidth: s.lineWidth + 2.5 }, shaft);
      tip({ ...halo, lineWidth: 2.5 });
    }
    line(g, s, shaft);
    tip({ fill: s.stroke, stroke: 'none', opacity: s.opacity, lineWidth: 0 });
  },
  texts(g, m, i, v, s) {
    const [x, y] = v.place(m.xy[2 * i], m.xy[2 * i + 1]), [dx, dy] = m.o || [0, 0], size = sizeOf(m, i), lines = m.t[i].split('\n'), high = textWidth('\u56FD', size, m.b);
    g.save();
    g.translate(x + dx, y + dy);
    g.rotate((-(m.a || 0) * Math.PI) / 180);
    Object.assign(g, { font: `${m.b ? 'bold ' : ''}${size}px ${font}`, textAlign: { start: 'left', end: 'right' }[m.ah] || 'center', textBaseline: 'middle', miterLimit: 2 });
    g.setLineDash([]);
    g.fillStyle = s.fill === 'none' ? v.theme.fg : s.fill;
    if (m.h) Object.assign(g, { strokeStyle: v.theme.bg, lineWidth: 3.5 });
    lines.forEach((words, k) => {
      const at = high * (k + 0.5 - lines.length * ({ top: 0, bottom: 1 }[m.av] ?? 0.5));
      if (m.h) g.strokeText(words, 0, at);
      g.fillText(words, 0, at);
    });
    g.restore();
  },
};

// between is mark m on its way from where it was, as far as both have the same points.
function between(from, m, t) {
  const mix = (a, b) => b && b.map((v, k) => (a && k < a.length ? a[k] + t * (v - a[k]) : v));
  const rings = m.rings && m.rings.map((r, k) => (from.rings && from.rings[k] && from.rings[k].length === r.length ? mix(from.rings[k], r) : r));
  return { ...m, xy: mix(from.xy, m.xy), xy2: mix(from.xy2, m.xy2), rings };
}

// A Pen paints the marks of a series. Its element is one shape of ECharts, whatever the number of marks.
export class Pen {
  // take says what to paint, in which view, and whether it moves there from what was painted before.
  take(m, view, fits, smooth) {
    const from = smooth && this.m && this.m !== m && this.m.k === m.k ? this.shown() : null;
    Object.assign(this, { m, view, fits, from, way: 0 });
  }

  shown() { return this.from ? between(this.from, this.m, this.way) : this.m; }

  paint(g) {
    const m = this.shown(), v = this.view, draw = painters[m.k], n = m.k === 'areas' && !m.fs && !m.ss ? Math.min(1, m.n) : m.n, one = v.alike(m) && v.style(m, 0);
    Object.assign(g, { lineJoin: 'miter', lineCap: 'butt', miterLimit: 10 });
    if (one) dip(g, one);
    for (let i = 0; i < n; i++) {
      if (this.fits && !this.fits[i]) continue; // the tooltip has it
      const s = one || v.style(m, i);
      if (!one) dip(g, s);
      draw(g, m, i, v, s);
    }
  }
}

const { graphic } = PrlECharts;
graphic.registerShape('prl', graphic.extendShape({
  shape: { pen: null },
  getBoundingRect: () => new graphic.BoundingRect(0, 0, 0, 0), // nobody asks a shape for its place that points at nothing
  buildPath(path, { pen }) {
    const g = path.getContext();
    if (!g || !pen) return;
    pen.element = this;
    g.save();
    pen.paint(g);
    g.restore();
    g.beginPath();
  },
}));
