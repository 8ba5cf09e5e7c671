// Colours: the words a spec paints with, and the theme of the page a figure stands on.

import { clamp } from './tools.js';

export const darkPage = matchMedia('(prefers-color-scheme: dark)');

const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
const hex = (c) => '#' + c.map((v) => clamp(Math.round(v), 0, 255).toString(16).padStart(2, '0')).join('');

function ramp(stops, v) {
  const at = clamp(v || 0, 0, 1) * (stops.length - 1), i = Math.min(Math.floor(at), stops.length - 2);
  const a = rgb(stops[i]), b = rgb(stops[i + 1]);
  return hex(a.map((c, k) => c + (at - i) * (b[k] - c)));
}

// color turns a paint ("c3", "s0.25", "x0:0.4,1:0.6", each with an optional "@opacity") into a CSS colour of theme t.
export function color(paint, t) {
  if (!paint) return 'none';
  const hit = t.cache.get(paint);
  if (hit) return hit;
  const [body, opacity] = paint.split('@'), rest = body.slice(1);
  const classColor = (slot) => t.classes[slot % t.classes.length];
  let c;
  switch (body[0]) {
    case 'c': c = classColor(+rest); break;
    case 's': c = ramp(t.sequential, +rest); break;
    case 'd': c = ramp(t.diverging, +rest); break;
    case 'x': {
      const sum = [0, 0, 0];
      let total = 0;
      for (const part of rest.split(',')) {
        const [slot, weight] = part.split(':').map(Number);
        rgb(classColor(slot)).forEach((v, k) => { sum[k] += weight * (v / 255) ** 2.2; });
        total += weight;
      }
      c = hex(sum.map((v) => 255 * (v / (total || 1)) ** (1 / 2.2)));
      break;
    }
    default: c = { f: t.fg, m: t.muted, g: t.grid, b: t.bg, a: t.accent, i: t.ink, p: t.paper }[body[0]] || t.fg;
  }
  if (opacity !== undefined) c = `rgba(${rgb(c).join(',')},${opacity})`;
  t.cache.set(paint, c);
  return c;
}

// themeOf looks for the colour the figure really stands on: the first ancestor that is not see-through.
export function themeOf(node) {
  let bg = null;
  for (let n = node; n && !bg; n = n.parentElement) {
    const m = getComputedStyle(n).backgroundColor.match(/[\d.]+/g);
    if (m && (m.length < 4 || +m[3] > 0.5)) bg = m.slice(0, 3).map(Number);
  }
  const light = bg ? 0.299 * bg[0] + 0.587 * bg[1] + 0.114 * bg[2] > 128 : !darkPage.matches || !/dark/.test(getComputedStyle(document.documentElement).colorScheme);
  const p = light ? config.light : config.dark;
  return { ...p, bg: bg ? hex(bg) : p.bg, light, cache: new Map() };
}
