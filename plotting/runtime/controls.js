// Controls: one for each input of a live figure that is not moved in the picture itself. A control shows a value and, when the reader sets
// another one, hands it over: set(value, moving), where moving says that the hand has not come to rest.

import { clamp, el, plain } from './tools.js';

let names = 0; // of groups of radio buttons, which a page must not share

const short = (v) => plain(+v.toPrecision(3));

function labelled(parent, className, name) {
  const label = el('label', className, parent);
  el('span', '', label, name);
  return label;
}

// track is a native range over [0, stops], with its keys, its touch and its voice.
function track(parent, stops, name) {
  const range = el('input', 'prl-range', parent);
  Object.assign(range, { type: 'range', min: 0, max: stops, step: 1 });
  if (name) range.setAttribute('aria-label', name);
  return range;
}

function slider(parent, input, set) {
  const { lo, hi, log, step } = input, even = step && !log ? Math.round((hi - lo) / step) : 200;
  const to = log ? Math.log : (v) => v, from = log ? Math.exp : (v) => v;
  const digits = clamp(Math.ceil(-Math.log10((hi - lo) / even)), 0, 12);
  const snap = (v) => (step ? +(lo + Math.round((v - lo) / step) * step).toPrecision(12) : v);
  const place = (stop) => snap(log ? +from(to(lo) + (stop / even) * (to(hi) - to(lo))).toPrecision(3) : +(lo + (stop / even) * (hi - lo)).toFixed(digits));
  const list = [...new Set(Array.from({ length: even + 1 }, (_, stop) => clamp(place(stop), lo, hi)))], stops = list.length - 1;
  const label = labelled(parent, 'prl-slide', input.name), range = track(label, stops), value = el('output', 'prl-value', label);
  const tell = (v) => { value.textContent = step ? plain(+v.toPrecision(6)) : short(v); range.setAttribute('aria-valuetext', value.textContent); };
  value.style.minWidth = Math.max(...[lo, hi, list[1], list[stops - 1]].map((v) => short(v).length)) + 'ch';
  const read = () => { const v = list[range.value]; tell(v); return v; };
  range.addEventListener('input', () => set(read(), true));
  range.addEventListener('change', () => set(read(), false));
  const nearest = (v) => list.reduce((best, w, k) => (Math.abs(to(w) - to(v)) < Math.abs(to(list[best]) - to(v)) ? k : best), 0);
  return { node: label, show(v) { range.value = nearest(v); tell(v); } };
}

// segments are radio buttons side by side: every word in sight, one press away.
export function segments(parent, name, words, set) {
  const group = el('div', 'prl-field', parent), bar = (el('span', '', group, name), el('div', 'prl-segments', group)), key = 'prl-choice-' + ++names;
  bar.setAttribute('role', 'radiogroup');
  bar.setAttribute('aria-label', name);
  const buttons = words.map((word, i) => {
    const label = el('label', '', bar), button = el('input', '', label);
    Object.assign(button, { type: 'radio', name: key, value: i });
    el('span', '', label, word);
    button.addEventListener('change', () => set(i, false));
    return button;
  });
  return { node: group, show(i) { buttons.forEach((b, k) => { b.checked = k === i; }); } };
}

function choice(parent, input, set) {
  const { words } = input;
  if (words.length <= 5 && words.join('').length <= 42) return segments(parent, input.name, words, set);
  const label = labelled(parent, 'prl-field', input.name), select = el('select', '', label);
  words.forEach((w, i) => { el('option', '', select, w).value = i; });
  select.addEventListener('change', () => set(+select.value, false));
  return { node: label, show(i) { select.value = i; } };
}

function toggle(parent, input, set) {
  const label = el('label', 'prl-toggle', parent), box = el('input', '', label);
  box.type = 'checkbox';
  el('span', '', label, input.name);
  box.addEventListener('change', () => set(box.checked, false));
  return { node: label, show(on) { box.checked = on; } };
}

// share returns the list with entry i set to v; where a sum is to be kept the others give and take in proportion.
export function share(list, i, v, { lo, hi, sum }) {
  const n = list.length;
  if (sum === undefined || n < 2) return list.map((w, k) => (k === i ? clamp(v, lo, hi) : w));
  const x = clamp(v, Math.max(lo, sum - (n - 1) * hi), Math.min(hi, sum - (n - 1) * lo)), rest = sum - x, room = rest - (n - 1) * lo;
  const held = list.reduce((s, w, k) => (k === i ? s : s + w - lo), 0);
  const out = list.map((w, k) => (k === i ? x : lo + (held > 0 ? ((w - lo) / held) * room : room / (n - 1))));
  return out.map((w) => Math.min(w, hi));
}

// values are bars, each a range of its own.
function values(parent, input, set) {
  const { labels, lo, hi } = input, box = el('fieldset', 'prl-bars', parent), stops = 200;
  el('legend', '', box, input.name);
  let now = input.values;
  const bars = labels.map((name, i) => {
    const row = labelled(box, 'prl-bar', name), range = track(row, stops), value = el('output', 'prl-value', row);
    const read = (moving) => { now = share(now, i, lo + (range.value / stops) * (hi - lo), input); show(now); set(now, moving); };
    range.addEventListener('input', () => read(true));
    range.addEventListener('change', () => read(false));
    return { range, value };
  });
  function show(list) {
    now = list;
    bars.forEach(({ range, value }, i) => {
      const part = hi > lo ? (now[i] - lo) / (hi - lo) : 0;
      range.value = Math.round(part * stops);
      range.style.setProperty('--prl-part', 100 * part + '%');
      value.textContent = short(now[i]);
      range.setAttribute('aria-valuetext', value.textContent);
    });
  }
  return { node: box, show };
}

// number reads what a reader writes: 0.25, 0,25, 1/4, −3 or 1e-3; NaN for anything else.
export function number(text) {
  const s = text.trim().replace(/\u2212/g, '-').replace(',', '.'), parts = s.split('/');
  if (parts.length > 2 || parts.some((p) => !/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(p.trim()))) return NaN;
  return parts.length === 2 ? parts[0] / parts[1] : +s;
}

function table(parent, input, set) {
  const { rows, columns } = input, box = el('div', 'prl-grid', parent), sheet = el('table', '', box);
  el('caption', '', sheet, input.name);
  const head = el('tr', '', el('thead', '', sheet)), body = el('tbody', '', sheet);
  el('td', '', head);
  for (const c of columns) el('th', '', head, c).scope = 'col';
  let now = input.cells;
  const fields = rows.map((name, r) => {
    const tr = el('tr', '', body);
    el('th', '', tr, name).scope = 'row';
    return columns.map((column, c) => {
      const field = el('input', '', el('td', '', tr));
      Object.assign(field, { type: 'text', inputMode: 'decimal', autocomplete: 'off', spellcheck: false });
      field.setAttribute('aria-label', `${name}, ${column}`);
      const read = (moving) => {
        const v = number(field.value), good = Number.isFinite(v) && v >= input.lo && v <= input.hi;
        field.setAttribute('aria-invalid', String(!good));
        if (!good) return;
        now = now.map((row, k) => (k === r ? share(row, c, v, input) : row));
        write(field);
        set(now, moving);
      };
      field.addEventListener('input', () => read(true));
      field.addEventListener('change', () => { read(false); write(); });
      field.addEventListener('keydown', (e) => {
        const by = { ArrowUp: [-1, 0], ArrowDown: [1, 0], Enter: [1, 0] }[e.key], next = by && fields[r + by[0]] && fields[r + by[0]][c + by[1]];
        if (!next) return;
        e.preventDefault();
        next.focus();
        next.select();
      });
      return field;
    });
  });
  function write(but) { // the field in which the reader writes keeps the words
    fields.forEach((row, r) => row.forEach((field, c) => {
      if (field === but) return;
      field.value = short(now[r][c]);
      field.setAttribute('aria-invalid', 'false');
    }));
  }
  return { node: box, show(cells) { now = cells; write(); } };
}

function text(parent, input, set) {
  const label = labelled(parent, 'prl-field prl-wide', input.name), field = el('input', '', label);
  Object.assign(field, { type: 'text', autocomplete: 'off', spellcheck: false, maxLength: 1000 });
  field.addEventListener('input', () => set(field.value, true));
  field.addEventListener('change', () => set(field.value, false));
  return { node: label, show(s) { if (field.value !== s) field.value = s; } };
}

function seed(parent, input, set) {
  const box = el('div', 'prl-field', parent), button = el('button', 'prl-draw', box, '\u21BB\u2009' + input.name), shown = el('output', '', box);
  let now = input.seed;
  button.type = 'button';
  button.addEventListener('click', () => { set(++now, false); shown.textContent = 'seed ' + now; });
  return { node: box, show(n) { now = n; shown.textContent = 'seed ' + n; } };
}

// predict asks before the figure tells; nothing is chosen at first.
function predict(parent, input, set) {
  const bar = segments(parent, input.name, input.words, set);
  bar.node.classList.add('prl-wide', 'prl-predict');
  return bar;
}

export const controls = { slider, choice, toggle, values, table, text, seed, predict };

// start is the value an input begins with, in the form in which the program takes values.
export function start(input) {
  switch (input.kind) {
    case 'slider': return input.value;
    case 'choice': return 0;
    case 'predict': return -1;
    case 'toggle': return input.on;
    case 'point': case 'ellipse': return input.xy;
    case 'points': return input.xy.map(([x, y], i) => [x, y, input.class ? input.class[i] : 0]);
    case 'values': return input.values;
    case 'table': return input.cells;
    case 'text': return input.text;
  }
  return input.seed;
}

// spell writes a value for a link, and read takes it from there: undefined if it makes no sense. Entries part at commas, rows at semicolons.
export function spell(input, v) {
  switch (input.kind) {
    case 'choice': case 'predict': return input.words[v];
    case 'toggle': return v ? 'on' : 'off';
    case 'points': case 'ellipse': case 'table': return v.map((row) => row.join(',')).join(';');
  }
  return String(v);
}

export function read(input, words) {
  const list = (s, n) => { const out = s.split(',').map(number); return out.every(Number.isFinite) && (!n || out.length === n) ? out : undefined; };
  const lists = (n) => { const out = words.split(';').map((s) => list(s, n)); return out.every(Boolean) ? out : undefined; };
  switch (input.kind) {
    case 'slider': { const v = number(words); return Number.isFinite(v) ? clamp(v, input.lo, input.hi) : undefined; }
    case 'seed': { const v = number(words); return Number.isInteger(v) && v >= 0 ? v : undefined; }
    case 'choice': case 'predict': { const k = input.words.indexOf(words); return k < 0 ? undefined : k; }
    case 'toggle': return words === 'on' || words === 'off' ? words === 'on' : undefined;
    case 'point': return list(words, 2);
    case 'points': return lists(3);
    case 'ellipse': { const ends = lists(2); return ends && ends.length === 3 ? ends : undefined; }
    case 'values': return list(words, input.values.length);
    case 'table': { const rows = lists(input.columns.length); return rows && rows.length === input.rows.length ? rows : undefined; }
  }
  return words;
}
