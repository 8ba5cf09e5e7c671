// Marks: their coordinates unpacked, and the shape of every kind as an ECharts custom series wants it.

import { color } from './paint.js';
import { textWidth } from './tools.js';

const { font } = config;
const MISSING = -2147483648;

// room tells whether a text of a mark meets no text that stands already, and then notes its box [left, top, right, bottom].
function room(words, m, i, x, y, size) {
  const w = textWidth(m.t[i], size, m.b), left = x - ({ start: 0, end: w }[m.ah] ?? w / 2), top = y - ({ top: 0, bottom: size }[m.av] ?? size / 2);
  const box = [left, top, left + w, top + size];
  if (words.some((o) => o.m === m && o.i === i)) return true;
  if (words.some(({ box: b }) => box[0] < b[2] && b[0] < box[2] && box[1] < b[3] && b[1] < box[3])) return false;
  words.push({ m, i, box });
  return true;
}

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

function symbolShape(symbol, d, style) {
  const strokes = strokesOf[symbol];
  if (strokes) {
    const line = style.stroke !== 'none' && style.stroke ? style.stroke : style.fill, r = d / 2;
    const pathData = strokes.map(([a, b, c, e]) => `M${a * r} ${b * r}L${c * r} ${e * r}`).join('');
    return { type: 'path', shape: { pathData }, style: { ...style, fill: 'none', stroke: line, lineWidth: Math.max(style.lineWidth || 0, d / 4.5) } };
  }
  const points = outline(symbol, d);
  return points ? { type: 'polygon', shape: { points }, style } : { type: 'circle', shape: { cx: 0, cy: 0, r: d / 2 }, style };
}

function ringPath(ring, place, close) {
  let d = '';
  for (let i = 0; i < ring.length; i += 2) {
    const p = place(ring[i], ring[i + 1]);
    d += (i ? 'L' : 'M') + p[0].toFixed(1) + ' ' + p[1].toFixed(1);
  }
  return close ? d + 'Z' : d;
}

export const shapes = {
  areas(m, i, v) {
    const rings = m.fs || m.ss ? [m.rings[i]] : m.rings;
    return { type: 'path', shape: { pathData: rings.map((r) => ringPath(r, v.place, true)).join('') }, style: v.style(m, i) };
  },
  paths(m, i, v) {
    const points = [];
    const ring = m.rings[i];
    for (let k = 0; k < ring.length; k += 2) points.push(v.place(ring[k], ring[k + 1]));
    return { type: 'polyline', shape: { points }, style: { ...v.style(m, i), fill: 'none', lineJoin: 'round', lineCap: m.d ? 'butt' : 'round' }, transition: v.moves(m) ? ['shape'] : [] };
  },
  symbols(m, i, v) {
    const [x, y] = v.place(m.xy[2 * i], m.xy[2 * i + 1]);
    if (!isFinite(x + y)) return null;
    return { ...symbolShape(m.sy, m.sz ? m.sz[i] : m.size, v.style(m, i)), x, y, transition: v.moves(m) ? ['x', 'y'] : [] };
  },
  rects(m, i, v) {
    const a = v.place(m.xy[2 * i], m.xy[2 * i + 1]).map(Math.round), b = v.place(m.xy2[2 * i], m.xy2[2 * i + 1]).map(Math.round);
    const shape = { x: Math.min(a[0], b[0]), y: Math.min(a[1], b[1]), width: Math.abs(a[0] - b[0]), height: Math.abs(a[1] - b[1]) };
    const style = v.style(m, i), bar = { type: 'rect', shape, style, transition: v.moves(m) ? ['shape'] : [] };
    const share = m.members && v.share(m.members[i]);
    if (share === undefined || share === 1) return bar;
    const part = share * shape.height, down = m.xy2[2 * i + 1] < m.xy[2 * i + 1]; // from the base of the bar
    return { type: 'group', children: [{ ...bar, transition: [], style: { ...style, opacity: 0.2 } }, { type: 'rect', shape: { ...shape, y: down ? shape.y : shape.y + shape.height - part, height: part }, style }] };
  },
  arrows(m, i, v) {
    const a = v.place(m.xy[2 * i], m.xy[2 * i + 1]), b = v.place(m.xy2[2 * i], m.xy2[2 * i + 1]);
    const dx = b[0] - a[0], dy = b[1] - a[1], length = Math.hypot(dx, dy);
    if (!(length > 0)) return null;
    const style = v.style(m, i), h = Math.min(length, 5 + 2.2 * (m.w || 1.5)), ux = dx / length, uy = dy / length, half = 0.42 * h;
    const foot = [b[0] - ux * h, b[1] - uy * h];
    const shaft = { x1: a[0], y1: a[1], x2: b[0] - 0.7 * ux * h, y2: b[1] - 0.7 * uy * h }, head = [b, [foot[0] - uy * half, foot[1] + ux * half], [foot[0] + uy * half, foot[1] - ux * half]];
    const halo = m.h ? [
      { type: 'line', shape: shaft, style: { ...style, fill: 'none', stroke: v.theme.bg, lineWidth: style.lineWidth + 2.5, lineDash: null } },
      { type: 'polygon', shape: { points: head }, style: { fill: 'none', stroke: v.theme.bg, lineWidth: 2.5, opacity: style.opacity } },
    ] : [];
    return {
      type: 'group', children: [
        ...halo,
        { type: 'line', shape: shaft, style: { ...style, fill: 'none' } },
        { type: 'polygon', shape: { points: head }, style: { fill: style.stroke, opacity: style.opacity } },
      ],
    };
  },
  texts(m, i, v) {
    const [x, y] = v.place(m.xy[2 * i], m.xy[2 * i + 1]);
    const style = v.style(m, i), size = m.sz ? m.sz[i] : m.size || 12;
    if (v.words && !m.a && !room(v.words, m, i, x + (m.o ? m.o[0] : 0), y + (m.o ? m.o[1] : 0), size)) return null; // the tooltip has it
    const align = { start: 'left', end: 'right' }[m.ah] || 'center', verticalAlign = { top: 'top', bottom: 'bottom' }[m.av] || 'middle';
    return {
      type: 'text', x: x + (m.o ? m.o[0] : 0), y: y + (m.o ? m.o[1] : 0), rotation: ((m.a || 0) * Math.PI) / 180,
      style: { text: m.t[i], fill: style.fill === 'none' ? v.theme.fg : style.fill, opacity: style.opacity, font: `${m.b ? 'bold ' : ''}${size}px ${font}`, align, verticalAlign,
        stroke: m.h ? v.theme.bg : 'none', lineWidth: m.h ? 3.5 : 0 },
      transition: v.moves(m) ? ['x', 'y'] : [],
    };
  },
};
