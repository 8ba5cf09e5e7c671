// Small tools: elements, text widths, ticks, numbers, distances.

const { font } = config;

export function el(tag, className, parent, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  if (parent) parent.appendChild(node);
  return node;
}

export const clamp = (v, lo, hi) => Math.max(lo, Math.min(hi, v));

const ruler = document.createElement('canvas').getContext('2d');
const widths = new Map(); // of texts that were measured, which is slow
export function textWidth(text, size, bold) {
  const key = size + (bold ? ' bold ' : ' ') + text, known = widths.get(key);
  if (known !== undefined) return known;
  ruler.font = `${bold ? 'bold ' : ''}${size}px ${font}`;
  const { width } = ruler.measureText(text);
  if (widths.size > 5000) widths.clear();
  widths.set(key, width);
  return width;
}

export function wrapLines(text, size, bold, width) {
  let lines = 1, used = 0;
  const space = textWidth(' ', size, bold);
  for (const word of String(text).split(' ')) {
    const w = textWidth(word, size, bold);
    if (used > 0 && used + space + w > width) { lines++; used = w; } else used += (used ? space : 0) + w;
  }
  return lines;
}

export async function inflate(base64) {
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).json();
}

// niceTicks gives about n round values in [lo, hi]: steps of 1, 2 or 5 times a power of ten.
export function niceTicks(lo, hi, n) {
  const raw = (hi - lo) / Math.max(n, 1), power = 10 ** Math.floor(Math.log10(raw)), r = raw / power;
  const step = power * (r >= 7.07 ? 10 : r >= 3.16 ? 5 : r >= 1.41 ? 2 : 1);
  const out = [];
  for (let k = Math.ceil(lo / step - 1e-9); k * step <= hi + step * 1e-9; k++) out.push(k * step);
  return { step, at: out };
}

// group writes decimal notation as the stills do: a true minus, and thousands parted from five digits on.
export function group(s) {
  const [whole, rest] = s.replace('-', '\u2212').split('.');
  const parted = whole.replace(/\D/g, '').length < 5 ? whole : whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return rest === undefined ? parted : parted + '.' + rest;
}

export function plain(v) { // a number as the stills write it: no trailing noise, powers of ten as such
  if (Number.isInteger(v) ? Math.abs(v) < 1e7 : Math.abs(v) >= 1e-4 && Math.abs(v) < 1e7) return group(String(+v.toPrecision(10)));
  const [mantissa, power] = v.toExponential(Number.isInteger(v) ? undefined : 3).split('e');
  const raised = power.replace('+', '').replace(/./g, (c) => (c === '-' ? '\u207B' : '\u2070\u00B9\u00B2\u00B3\u2074\u2075\u2076\u2077\u2078\u2079'[c]));
  const front = group(mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa);
  return (front === '1' ? '' : front === '\u22121' ? '\u2212' : front + '\u00D7') + '10' + raised;
}

export function reading(axis, v) { // an axis value for a tooltip, with as many digits as the axis can tell apart
  if (axis.named) {
    const t = axis.ticks.reduce((a, b) => (Math.abs(b[0] - v) < Math.abs(a[0] - v) ? b : a));
    if (Math.abs(t[0] - v) <= 0.5) return t[1];
  }
  if (axis.log) return plain(+(10 ** v).toPrecision(4));
  const digits = clamp(Math.ceil(3 - Math.log10(axis.hi - axis.lo)), 0, 8);
  return plain(+v.toFixed(digits));
}

export function closest(at, v) { return at.reduce((a, b) => (Math.abs(b - v) < Math.abs(a - v) ? b : a), at[0]); }

export function onSegment(a, b, px, py) {
  const dx = b[0] - a[0], dy = b[1] - a[1], len = dx * dx + dy * dy, t = len ? clamp(((px - a[0]) * dx + (py - a[1]) * dy) / len, 0, 1) : 0;
  const x = a[0] + t * dx, y = a[1] + t * dy;
  return { x, y, distance: Math.hypot(x - px, y - py) };
}

export function insideRing(ring, place, px, py) {
  let inside = false;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    const a = place(ring[i], ring[i + 1]), b = place(ring[j], ring[j + 1]);
    if (a[1] > py !== b[1] > py && px < ((b[0] - a[0]) * (py - a[1])) / (b[1] - a[1]) + a[0]) inside = !inside;
  }
  return inside;
}

// A Gauge tells where a point of the screen lies in an element, whatever transform or zoom stands above it: slides scale their charts, and
// what a browser reports of a pointer or of a box is in pixels of the screen. Three marks without size, one in the corner and one SPAN pixels
// along each side, show how the element stands there.
const SPAN = 100;
export class Gauge {
  constructor(node) {
    this.marks = [[0, 0], [SPAN, 0], [0, SPAN]].map(([x, y]) => {
      const mark = el('i', 'prl-mark', node);
      mark.style.left = x + 'px';
      mark.style.top = y + 'px';
      return mark;
    });
  }

  // corner is where on the screen the element begins.
  corner() { const r = this.marks[0].getBoundingClientRect(); return [r.left, r.top]; }

  // read gives the function from places on the screen to places in the element, as both stand now.
  read() {
    const [o, a, b] = this.marks.map((m) => m.getBoundingClientRect());
    const ax = (a.left - o.left) / SPAN, ay = (a.top - o.top) / SPAN, bx = (b.left - o.left) / SPAN, by = (b.top - o.top) / SPAN, area = ax * by - ay * bx;
    return (x, y) => { const dx = x - o.left, dy = y - o.top; return [(dx * by - dy * bx) / area, (dy * ax - dx * ay) / area]; };
  }

  remove() { for (const m of this.marks) m.remove(); }
}

export function fetchless(src) { // the bytes of a data URI, without asking anything for them
  const comma = src.indexOf(','), data = src.slice(comma + 1);
  const bytes = src.slice(0, comma).endsWith(';base64') ? Uint8Array.from(atob(data), (c) => c.charCodeAt(0)) : decodeURIComponent(data);
  return new Blob([bytes], { type: 'image/svg+xml' });
}
