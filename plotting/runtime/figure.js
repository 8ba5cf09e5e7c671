// A figure: the box around its image, legend, slider and tools, and its life from the first width to the last.

import { Gauge, clamp, el, fetchless, textWidth } from './tools.js';
import { color, themeOf } from './paint.js';
import { outline, strokesOf } from './marks.js';
import { calm } from './drawing.js';
import { Pointing } from './pointing.js';
import { computes } from './engine.js';
import { Live } from './live.js';

const { font } = config;
export const live = new Set(); // figures that hold an ECharts instance
export const groups = new Map(); // Link name -> {members, selected, hover}

export class Figure extends Pointing {
  constructor(img, spec) {
    super();
    Object.assign(this, { img, fig: spec.fig, option: spec.option, hidden: new Set(), brushing: false, width: 0, chart: null });
    const fig = this.fig;
    this.step = fig.frames ? fig.frames.start : 0;
    this.domain = fig.panels.map((p) => this.home(p));
    this.nameTicks();
    this.inherit();
    this.group = this.joinGroup();
    this.build();
    if (img.hasAttribute('data-prl-live') || (img.hasAttribute('data-prl-film') && computes(img.getAttribute('data-prl-src')))) this.moves = new Live(this, img);
    this.observer = new ResizeObserver(() => this.life());
    this.observer.observe(this.host);
  }

  // nameTicks tells axes of names from axes of numbers.
  nameTicks() {
    for (const p of this.fig.panels) for (const a of [p.x, p.y]) {
      a.ticks = a.ticks || [];
      a.named = a.ticks.length > 0 && a.ticks.some((t) => t[1] !== '' && !/^[\u2212\-+\d.,e×⁰¹²³⁴⁵⁶⁷⁸⁹⁻ %]+$/.test(t[1]));
    }
  }

  home(p) { return { x: [p.x.lo, p.x.hi], y: [p.y.lo, p.y.hi] }; }

  // inherit restores what a frame's mark shares with the first frame that has it; Go leaves such fields out.
  inherit() {
    const first = new Map();
    for (const step of this.fig.frames ? this.fig.frames.steps : []) for (const m of step.marks || []) {
      if (!first.has(m.id)) first.set(m.id, m);
      else for (const field of m.as || []) m[field] = first.get(m.id)[field];
    }
  }

  joinGroup() {
    const name = this.fig.link;
    if (!name) return { members: new Set([this]), selected: null, hover: -1 };
    if (!groups.has(name)) groups.set(name, { members: new Set(), selected: null, hover: -1 });
    return groups.get(name);
  }

  build() {
    const { img, fig } = this;
    const host = (this.host = el('div', 'prl-host'));
    host.style.maxWidth = fig.w + 'px';
    img.parentNode.insertBefore(host, img);
    host.appendChild(img);
    const box = (this.box = el('div', 'prl-box', host));
    box.setAttribute('role', 'group');
    box.setAttribute('data-lm-suppress-shortcuts', 'true'); // JupyterLab keeps its own keys off
    box.setAttribute('aria-label', fig.alt || fig.title || 'figure');
    this.head = el('div', 'prl-head', box);
    this.title = el('div', 'prl-title', this.head);
    this.subtitle = el('div', 'prl-subtitle', this.head);
    this.write(this.title, fig.title);
    this.legend = el('div', 'prl-legend', this.head);
    this.buildLegend();
    const stage = (this.stage = el('div', 'prl-stage', box));
    stage.tabIndex = 0;
    stage.setAttribute('role', 'application');
    stage.setAttribute('aria-label', (fig.alt || fig.title || 'chart') + '. Plus and minus zoom, arrows move, 0 resets.');
    this.canvas = el('div', 'prl-canvas', stage);
    this.overlay = el('canvas', 'prl-overlay', stage);
    this.tip = el('div', 'prl-tip', stage);
    this.tip.hidden = true;
    this.gauge = new Gauge(stage);
    this.back = el('button', 'prl-back', stage, '\u2922\u2009Whole picture');
    Object.assign(this.back, { type: 'button', title: 'Back from the part that is zoomed (0 or double click)', hidden: true });
    for (const event of ['pointerdown', 'dblclick']) this.back.addEventListener(event, (e) => e.stopPropagation());
    this.back.addEventListener('click', (e) => { e.stopPropagation(); this.whole(); stage.focus({ preventScroll: true }); });
    if (fig.frames) this.buildFrames();
    this.foot = el('div', 'prl-foot', box);
    this.caption = el('div', 'prl-caption', this.foot);
    this.notice = el('div', 'prl-caption', this.foot);
    this.write(this.caption, fig.caption);
    this.write(this.notice, fig.notice);
    this.chosen = el('div', 'prl-caption', this.foot);
    this.chosen.setAttribute('role', 'status');
    this.chosen.hidden = true;
    this.buildTools();
    this.listen();
    host.classList.add('prl-on');
  }

  // write puts words into a line that is there only with words.
  write(line, words) {
    if (line.textContent === (words || '') && line.hidden === !words) return; // a page lays out anew what is written
    line.textContent = words || '';
    line.hidden = !words;
  }

  // renew takes the picture that the function of a live figure has drawn anew. What the reader has zoomed to and hidden stays. A draft has
  // no table and no description, so the old ones stand until the hand rests.
  renew({ fig, option }, draft) {
    const before = this.fig, zoomed = before.panels.map((_, i) => this.zoomed(i));
    if (draft) Object.assign(fig, { table: before.table, alt: before.alt });
    this.stop();
    this.stepMarks = this.titles = this.hit = null;
    Object.assign(this, { fig, option });
    this.nameTicks();
    this.domain = fig.panels.map((p, i) => (zoomed[i] ? this.domain[i] : this.home(p)));
    this.write(this.title, fig.title);
    this.write(this.subtitle, fig.subtitle);
    this.write(this.caption, fig.caption);
    this.write(this.notice, fig.notice);
    if (JSON.stringify(fig.legend || []) === this.listed) fig.legend = before.legend;
    else {
      this.legend.replaceChildren();
      this.buildLegend();
      if (this.chart) for (const [canvas, entry] of this.swatches) this.paintSwatch(canvas, entry);
    }
    if (!draft) {
      this.box.setAttribute('aria-label', fig.alt || fig.title || 'figure');
      if (this.table) this.fillTable();
    }
    if (this.chart && before.panels.length !== fig.panels.length) { this.chart.clear(); this.scenery = null; }
    this.draw();
    this.head.style.minHeight = this.head.offsetHeight + 'px'; // words that come and go do not move what stands below
  }

  buildLegend() {
    const entries = this.fig.legend || [];
    this.listed = JSON.stringify(entries);
    this.swatches = [];
    entries.forEach((e) => {
      const b = el('button', 'prl-key', this.legend);
      b.type = 'button';
      b.title = 'Click: show or hide. Double click: show only this.';
      b.setAttribute('aria-pressed', String(!this.hidden.has(e.key)));
      this.swatches.push([el('canvas', 'prl-swatch', b), e]);
      el('span', '', b, e.label);
      b.addEventListener('click', (ev) => {
        if (ev.detail > 1) return; // the second click of a double click
        this.before = new Set(this.hidden);
        this.hidden.has(e.key) ? this.hidden.delete(e.key) : this.hidden.add(e.key);
        this.afterToggle();
      });
      b.addEventListener('dblclick', () => {
        const others = entries.map((o) => o.key).filter((k) => k !== e.key);
        const alone = others.every((k) => this.before.has(k)) && !this.before.has(e.key);
        this.hidden = new Set(alone ? [] : others);
        this.afterToggle();
      });
      e.button = b;
    });
    this.legend.hidden = !entries.length;
  }

  afterToggle() {
    for (const e of this.fig.legend) e.button.setAttribute('aria-pressed', String(!this.hidden.has(e.key)));
    this.draw();
  }

  buildFrames() {
    const f = this.fig.frames, n = f.steps.length;
    const bar = el('div', 'prl-frames');
    this.box.insertBefore(bar, this.stage); // in sight together with the picture
    this.play = el('button', 'prl-play', bar);
    this.play.type = 'button';
    const label = el('label', 'prl-slide', bar);
    el('span', '', label, f.name);
    this.range = el('input', 'prl-range', label);
    Object.assign(this.range, { type: 'range', min: 0, max: n - 1, step: 1 });
    this.range.value = this.step;
    this.value = el('output', 'prl-value', bar);
    this.value.style.minWidth = Math.ceil(Math.max(...f.labels.map((s) => textWidth(s, 13, true)))) + 2 + 'px';
    this.range.addEventListener('input', () => { this.stop(); this.show(+this.range.value); });
    this.range.addEventListener('keydown', (ev) => { ev.stopPropagation(); if (ev.key === ' ') { ev.preventDefault(); this.playing ? this.stop() : this.start(); } });
    this.play.addEventListener('click', () => (this.playing ? this.stop() : this.start()));
    this.stop();
  }

  start() {
    const n = this.fig.frames.steps.length;
    if (this.step === n - 1) this.show(0);
    this.playing = setInterval(() => {
      if (!this.host.isConnected) return this.stop();
      this.show(this.step + 1);
      if (this.step >= n - 1) this.stop();
    }, this.fig.frames.interval || 700);
    this.playFace('Pause', '\u275A\u275A');
  }

  stop() {
    clearInterval(this.playing);
    this.playing = 0;
    if (this.play) this.playFace('Play', '\u25B6\uFE0E');
  }

  playFace(name, sign) { this.play.textContent = sign; this.play.setAttribute('aria-label', name); this.play.title = name; }

  show(i) {
    const f = this.fig.frames;
    this.step = clamp(i, 0, f.steps.length - 1);
    this.readStep();
    if (this.chart) this.draw(!calm.matches);
    this.hover(null);
  }

  readStep() {
    const f = this.fig.frames;
    let subtitle = this.fig.subtitle || '';
    if (f) {
      const s = f.steps[this.step];
      this.stepMarks = Object.fromEntries((s.marks || []).map((m) => [m.id, m]));
      this.titles = s.titles;
      subtitle = s.subtitle || subtitle;
      this.range.value = this.step;
      this.value.textContent = f.labels[this.step];
      this.range.setAttribute('aria-valuetext', f.labels[this.step]);
    }
    this.write(this.subtitle, subtitle);
  }

  buildTools() {
    const bar = (this.tools = el('div', 'prl-tools'));
    this.head.insertBefore(bar, this.head.firstChild); // it floats: titles and legend flow around it
    bar.setAttribute('role', 'toolbar');
    bar.setAttribute('aria-label', 'Figure tools');
    const rows = (m) => m && (m.rw || m.r0 !== undefined || m.bl);
    if (this.option.series.some((s) => rows(s.prl)) || (this.fig.frames && this.fig.frames.steps[0].marks.some(rows))) this.brushButton = this.tool('Select', 'Drag over points or bars to select their rows in all linked panels', () => this.setBrush(!this.brushing));
    if (this.brushButton) this.brushButton.setAttribute('aria-pressed', 'false');
    this.tool('Reset', 'Whole picture, nothing hidden or selected (0 or double click)', () => this.reset());
    this.tool('PNG', 'Save what is shown as PNG', () => this.savePNG());
    this.tool('SVG', 'Save the printed version as SVG', () => this.save(fetchless(this.img.src), 'svg'));
    if (this.fig.table && this.fig.table.columns) {
      const b = this.tool('Data', 'The numbers behind the picture', () => this.toggleTable(b));
      b.setAttribute('aria-expanded', 'false');
    }
  }

  // tool adds a button to the tools.
  tool(name, hint, act) {
    const b = el('button', '', this.tools, name);
    b.type = 'button';
    b.title = hint;
    b.addEventListener('click', () => act(b));
    return b;
  }

  setBrush(on) {
    this.brushing = on;
    this.brushButton.setAttribute('aria-pressed', String(on));
    this.stage.classList.toggle('prl-brush', on);
    if (!on) this.select(null);
  }

  // whole goes back from a zoom.
  whole() {
    this.domain = this.fig.panels.map((p) => this.home(p));
    this.draw();
  }

  reset() {
    this.domain = this.fig.panels.map((p) => this.home(p));
    this.hidden.clear();
    for (const e of this.fig.legend || []) e.button.setAttribute('aria-pressed', 'true');
    if (this.brushing) this.setBrush(false);
    this.select(null);
    this.draw();
  }

  // csv is the table as a file: RFC 4180, numbers as a program reads them.
  csv() {
    const t = this.fig.table, number = /^\u2212?(?=[\d.])(\d{1,3}(,\d{3})+|\d+)?(\.\d+)?(\u00D710[\u207B\u2070\u00B9\u00B2\u00B3\u2074-\u2079]+)?$|^\u2212?10[\u207B\u2070\u00B9\u00B2\u00B3\u2074-\u2079]+$/;
    const field = (s) => {
      if (number.test(s)) {
        s = s.replace(/,/g, '').replace('\u2212', '-').replace(/(\u00D7)?10([\u207B\u2070\u00B9\u00B2\u00B3\u2074-\u2079]+)$/, (_, times, power) => (times ? '' : '1') + 'e' + power.replace(/./g, (c) => (c === '\u207B' ? '-' : '\u2070\u00B9\u00B2\u00B3\u2074\u2075\u2076\u2077\u2078\u2079'.indexOf(c))));
      }
      return /[",\r\n]/.test(s) ? '"' + s.replace(/"/g, '""') + '"' : s;
    };
    return [t.columns, ...(t.rows || [])].map((r) => r.map(field).join(',') + '\r\n').join('');
  }

  toggleTable(button) {
    if (this.table) { this.table.remove(); this.table = null; } else {
      this.table = el('div', 'prl-table', this.box);
      this.table.tabIndex = 0;
      this.fillTable();
      this.table.scrollIntoView({ block: 'nearest' });
    }
    button.setAttribute('aria-expanded', String(!!this.table));
  }

  fillTable() {
    const t = this.fig.table || { columns: [] };
    this.table.replaceChildren();
    const save = el('button', 'prl-csv', this.table, 'CSV');
    save.type = 'button';
    save.title = 'Save these rows as CSV';
    save.addEventListener('click', () => this.save(new Blob([this.csv()], { type: 'text/csv' }), 'csv'));
    const table = el('table', '', this.table), row = el('tr', '', el('thead', '', table));
    el('caption', '', table, (this.fig.title || 'Data') + (t.more ? `, ${t.more} more rows not listed` : ''));
    for (const c of t.columns) el('th', '', row, c).scope = 'col';
    const body = el('tbody', '', table);
    for (const r of t.rows || []) { const tr = el('tr', '', body); for (const c of r) el('td', '', tr, c); }
  }

  save(blob, ext) {
    const a = el('a');
    a.href = URL.createObjectURL(blob);
    a.download = ((this.fig.title || 'figure').replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '').slice(0, 60) || 'figure') + '.' + ext;
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 1000);
  }

  // savePNG paints the box as it stands, without its controls: every canvas where it is, every text in its own font. It measures in pixels of
  // the box, so that a figure on a scaled slide is saved as large as anywhere else.
  savePNG() {
    const k = 2, big = new Image();
    big.onload = () => {
      const gauge = new Gauge(this.box), read = gauge.read(), out = el('canvas'), g = out.getContext('2d');
      const head = this.head.offsetTop + this.head.offsetHeight, controls = this.stage.offsetTop - head; // the room of the controls is closed
      const to = (x, y) => { const [u, v] = read(x, y); return [u, v > head ? v - controls : v]; };
      const middle = (r) => to((r.left + r.right) / 2, (r.top + r.bottom) / 2);
      gauge.remove();
      out.width = this.box.clientWidth * k;
      out.height = (this.foot.offsetTop + this.foot.offsetHeight + 8 - controls) * k;
      g.fillStyle = this.theme.bg;
      g.fillRect(0, 0, out.width, out.height);
      g.scale(k, k);
      g.drawImage(big, ...to(...this.gauge.corner()).map((v) => Math.round(k * v) / k), this.chart.getWidth(), this.chart.getHeight());
      for (const s of this.box.querySelectorAll('.prl-swatch')) {
        const [x, y] = middle(s.getBoundingClientRect()), w = s.offsetWidth, h = s.offsetHeight;
        g.drawImage(s, x - w / 2, y - h / 2, w, h);
      }
      const walk = document.createTreeWalker(this.box, NodeFilter.SHOW_TEXT);
      for (let n = walk.nextNode(); n; n = walk.nextNode()) {
        if (n.parentElement.closest('.prl-tools,.prl-tip,.prl-frames,.prl-table,.prl-inputs,.prl-back,.prl-quiet,.prl-said')) continue;
        this.paintText(g, n, middle);
      }
      out.toBlob((b) => this.save(b, 'png'));
    };
    big.src = this.chart.getDataURL({ pixelRatio: k, backgroundColor: this.theme.bg });
  }

  paintText(g, node, middle) {
    const style = getComputedStyle(node.parentElement), range = document.createRange();
    g.font = `${style.fontWeight} ${style.fontSize} ${font}`;
    g.fillStyle = style.color;
    g.textBaseline = 'middle';
    g.textAlign = 'center';
    let start = 0, line = null;
    const text = node.textContent, flush = (end) => {
      range.setStart(node, start); range.setEnd(node, end);
      const r = range.getBoundingClientRect();
      if (r.width) g.fillText(text.slice(start, end).trim(), ...middle(r));
      start = end;
    };
    for (let i = 0; i < text.length; i++) {
      range.setStart(node, i); range.setEnd(node, i + 1);
      const r = range.getBoundingClientRect(), y = middle(r)[1];
      if (line !== null && y > line + 2) flush(i);
      line = y;
    }
    flush(text.length);
  }

  // ---- life ----

  life() {
    if (!this.host.isConnected) return this.release();
    const width = this.host.clientWidth;
    if (!width) return; // hidden now: wait until it is seen
    if (!this.chart) {
      this.chart = PrlECharts.init(this.canvas, null, { renderer: 'canvas', width: 10, height: 10 });
      live.add(this);
      this.group.members.add(this);
      this.readStep();
      this.retheme();
      if (this.moves) this.moves.attend();
    } else if (width !== this.width || this.faded) this.draw();
  }

  // refit draws anew what a window of another height leaves another room.
  refit() {
    const height = (room) => Math.min(room, this.need);
    const before = this.room;
    this.room = this.outlook();
    if (this.chart && this.host.clientWidth && height(this.room) !== height(before)) this.draw();
  }

  // release waits one animation frame: ECharts may hold a progressive step for this one.
  release() {
    this.stop();
    requestAnimationFrame(() => {
      if (this.host.isConnected || !this.chart) return;
      this.chart.dispose();
      this.chart = this.scenery = this.pens = null;
      this.width = 0;
      live.delete(this);
      this.group.members.delete(this);
      if (this.moves) this.moves.leave();
      if (!this.group.members.size && this.fig.link) groups.delete(this.fig.link);
    });
  }

  retheme() {
    this.ink(themeOf(this.host));
    this.draw();
  }

  // ink gives words, keys and controls the colours of a theme. The picture is faded until it is drawn in them.
  ink(t) {
    this.theme = t;
    this.faded = true;
    for (const name of ['fg', 'muted', 'grid', 'bg', 'accent']) this.box.style.setProperty('--prl-' + name, t[name]);
    this.box.style.colorScheme = t.light ? 'light' : 'dark';
    for (const [canvas, entry] of this.swatches) this.paintSwatch(canvas, entry);
  }

  // follow takes the colours of the page, if they are others now.
  follow() {
    const t = themeOf(this.host);
    if (t.bg !== this.theme.bg || t.light !== this.theme.light) this.ink(t);
  }

  paintSwatch(canvas, e) {
    const line = !e.sw && (!e.sy || (e.s && e.s !== 'b' && e.w >= 1.5) || e.d);
    const w = line ? 22 : 14, h = 14, k = Math.max(2, devicePixelRatio || 1), solid = (paint) => color(paint && paint.split('@')[0], this.theme);
    canvas.width = w * k; canvas.height = h * k;
    canvas.style.width = w + 'px'; canvas.style.height = h + 'px';
    const g = canvas.getContext('2d'), fill = e.sy ? solid(e.f) : color(e.f, this.theme), stroke = color(e.s, this.theme);
    g.scale(k, k);
    g.fillStyle = fill;
    g.lineWidth = e.w || 1.5;
    if (e.sw) {
      g.strokeStyle = stroke;
      if (fill !== 'none') g.fillRect(1, 1, 12, 12);
      if (stroke !== 'none' && e.s !== 'b') { g.lineWidth = 1; g.strokeRect(1.5, 1.5, 11, 11); }
      return;
    }
    if (line) {
      g.strokeStyle = stroke === 'none' || e.s === 'b' ? fill : stroke;
      g.lineWidth = Math.max(e.w || 0, 1.5);
      g.setLineDash(e.d || []);
      g.beginPath(); g.moveTo(0, 7); g.lineTo(w, 7); g.stroke();
      g.setLineDash([]);
    }
    if (!e.sy) return;
    const strokes = strokesOf[e.sy], points = outline(e.sy, 8.5);
    g.translate(w / 2, h / 2);
    g.beginPath();
    if (strokes) {
      for (const [a, b, c, d] of strokes) { g.moveTo(a * 4.5, b * 4.5); g.lineTo(c * 4.5, d * 4.5); }
      g.strokeStyle = stroke === 'none' || e.s === 'b' ? fill : stroke;
      g.lineWidth = 2;
      g.stroke();
      return;
    }
    if (points) { points.forEach((p, i) => (i ? g.lineTo(...p) : g.moveTo(...p))); g.closePath(); } else g.arc(0, 0, 4.25, 0, 7);
    if (fill !== 'none') g.fill();
    if (stroke !== 'none' && e.s !== 'b') { g.strokeStyle = stroke; g.lineWidth = Math.max(e.w || 0, 1); g.stroke(); }
  }
}
