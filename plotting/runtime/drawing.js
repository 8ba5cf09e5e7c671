// Drawing: where panels, axes and colour bars stand at a width, and the ECharts option that paints them.

import { clamp, closest, group, niceTicks, plain, textWidth, wrapLines } from './tools.js';
import { color } from './paint.js';
import { Pen, fitting, unpack } from './marks.js';

const { font, sizes } = config;
export const calm = matchMedia('(prefers-reduced-motion: reduce)');

export class Drawing {
  // marks lists what stands in the picture now: the still marks and those of the current step.
  marks() {
    const out = [];
    for (const s of this.option.series) {
      const m = s.prl || (this.stepMarks || {})[s.id];
      if (m) out.push({ series: s, panel: s.xAxisIndex || 0, m: unpack(m, this.fig.panels[s.xAxisIndex || 0]) });
    }
    return out;
  }

  // ---- layout ----

  ticksOf(panel, i, name, room) {
    const axis = panel[name], [lo, hi] = this.domain[i][name], whole = lo === axis.lo && hi === axis.hi;
    const inside = axis.ticks.filter((t) => t[0] >= lo - 1e-9 * (hi - lo) && t[0] <= hi + 1e-9 * (hi - lo));
    if (whole || axis.named) return inside;
    const { at, step } = niceTicks(lo, hi, clamp(room / 70, 3, 8));
    const digits = clamp(-Math.floor(Math.log10(step) + 1e-9), 0, 12);
    return at.map((v) => [v, axis.log ? plain(+(10 ** v).toPrecision(3)) : Math.max(Math.abs(lo), Math.abs(hi)) >= 1e7 || step < 1e-6 ? plain(+v.toPrecision(12)) : group(v.toFixed(digits))]);
  }

  // outlook is the height that controls leave of what the reader sees at once: of the window, or of the part of it that scrolls.
  outlook() {
    const { host, head, stage } = this, scale = host.getBoundingClientRect().width / host.offsetWidth || 1;
    if (!this.moves && !this.fig.frames) return Infinity;
    let port = innerHeight / scale;
    for (let n = host.parentElement; n; n = n.parentElement) {
      if (n.scrollHeight > n.clientHeight && n.clientHeight > 0.5 * port && /auto|scroll/.test(getComputedStyle(n).overflowY)) port = Math.min(port, n.clientHeight);
    }
    return port < 480 ? Infinity : port - (stage.offsetTop - head.offsetTop - head.offsetHeight) - 12;
  }

  layout(width) {
    const fig = this.fig, n = fig.panels.length, full = Math.min(fig.columns || 1, n);
    let columns = full;
    const bare = fig.panels.every((p) => p.noAxes), worded = fig.panels.some((p, i) => p.bar || this.option.series.some((s) => (s.xAxisIndex || 0) === i && s.prl && s.prl.k === 'symbols'));
    const pictures = bare && !worded, least = pictures ? 90 : bare ? 170 : 235; // pictures stay side by side, diagrams longer than charts
    while (columns > 1 && width / columns < least) columns--;
    const rows0 = Math.ceil(n / full), rows = Math.ceil(n / columns), gap = 14;
    if (!this.moves || this.framed !== width) Object.assign(this, { framed: width, chrome: this.head.offsetHeight + this.foot.offsetHeight, room: this.outlook() }); // else words would move the picture
    const row0 = Math.max(120, (fig.h - this.chrome) / rows0), w0 = fig.w / full, w = width / columns;
    const shape = pictures && n > 1 ? Math.max((row0 * w) / w0, 70) : columns < full ? clamp((row0 * w) / w0, 230, Math.max(row0, 340)) : row0 * clamp(w / w0, w < 400 && full === 1 ? 0.8 : 0.6, 1);
    const tall = Math.round(Math.max(shape, Math.min(row0, 0.85 * w))), most = Math.floor((this.room + gap) / rows - gap);
    const rowHeight = clamp(most, Math.min(tall, Math.max(120, Math.round(0.4 * tall))), tall);
    // Each panel alone, then with the margins of its row and, in a grid, of its column: the axes stand in line.
    const lines = [];
    for (let k = 0; k < n; k += columns) {
      const members = fig.panels.slice(k, k + columns), even = columns !== full;
      const sum = members.reduce((a, p) => a + (even ? 1 : p.weight || 1), 0) * (members.length < columns ? columns / members.length : 1);
      let x = 0;
      lines.push(members.map((p, j) => {
        const share = ((even ? 1 : p.weight || 1) / sum) * (width - gap * (columns - 1)), at = [p, k + j, x, 0, share, rowHeight];
        x += share + gap;
        return at;
      }));
    }
    const alone = lines.map((line) => line.map((a) => this.cell(...a)));
    const left = Array.from({ length: columns }, (_, j) => Math.max(...alone.map((line) => (line[j] && !line[j].p.noAxes ? line[j].left : 0))));
    const right = Array.from({ length: columns }, (_, j) => Math.max(...alone.map((line) => (line[j] && !line[j].p.noAxes ? line[j].right : 0))));
    const cells = [];
    let y = 0;
    lines.forEach((line, r) => {
      const margins = { top: Math.max(...alone[r].map((c) => c.top)), bottom: Math.max(...alone[r].map((c) => c.bottom)) };
      const row = line.map((a, j) => { a[3] = y; return this.cell(...a, { ...margins, left: left[j], right: right[j] }); });
      cells.push(...row);
      y += Math.ceil(Math.max(...row.map((c) => c.used))) + (r < rows - 1 ? gap : 0);
    });
    this.need = rows * (tall + gap);
    return { cells, height: y, squeezed: rowHeight < 0.8 * tall };
  }

  cell(p, i, x, y, w, h, margins) {
    const title = (this.titles && this.titles[i]) || p.title || '';
    const bar = p.bar, axes = !p.noAxes;
    const yt = this.ticksOf(p, i, 'y', h), label = sizes.tick;
    const yw = axes ? Math.max(0, ...yt.map((t) => textWidth(t[1], label))) : 0;
    const left = axes ? (margins ? margins.left : Math.ceil(yw + (yw ? 10 : 4) + (p.y.label ? 20 : 0))) : 6;
    const barTicks = bar ? bar.ticks || [] : [];
    const barWidth = bar ? Math.ceil(10 + 12 + 7 + Math.max(0, ...barTicks.map((t) => textWidth(t[1], label))) + (bar.label ? 20 : 0)) : 0;
    const top = margins ? margins.top : (title ? wrapLines(title, sizes.panel, true, w - left) * 17 + 6 : 0) + 8;
    let plotWidth = w - left - barWidth - 12;
    let xt = this.ticksOf(p, i, 'x', plotWidth), turn = 0;
    const [lo, hi] = this.domain[i].x, span = (t) => ((t - lo) / (hi - lo)) * plotWidth;
    if (axes && xt.length) {
      const last = xt[xt.length - 1], over = span(last[0]) + textWidth(last[1], label) / 2 - plotWidth - 12;
      if (over > 0 && !p.x.named) plotWidth -= over;
    }
    if (axes && margins) plotWidth = w - left - margins.right;
    const right = w - left - plotWidth;
    const collide = (ticks) => ticks.some((t, k) => k && span(t[0]) - span(ticks[k - 1][0]) < (textWidth(t[1], label) + textWidth(ticks[k - 1][1], label)) / 2 + 7);
    if (axes && collide(xt)) {
      if (p.x.named) turn = 40;
      else for (let s = 2; s < 9; s++) { const fewer = xt.filter((_, k) => k % s === 0); if (!collide(fewer) || s === 8) { xt = fewer; break; } }
    }
    const xh = turn ? Math.min(0.4 * h, Math.max(...xt.map((t) => textWidth(t[1], label))) * 0.643 + 12) : label + 2;
    const anyX = axes && xt.some((t) => t[1] !== '');
    const own = axes ? Math.ceil((anyX ? xh + 8 : 4) + (p.x.label ? 20 : 2)) : 6, bottom = margins ? margins.bottom : own;
    const rect = { x: x + left, y: y + top, width: Math.max(40, plotWidth), height: Math.max(40, h - top - bottom) };
    if (p.equal) {
      const d = this.domain[i], scale = Math.min(rect.width / (d.x[1] - d.x[0]), rect.height / (d.y[1] - d.y[0]));
      const ew = scale * (d.x[1] - d.x[0]), eh = scale * (d.y[1] - d.y[0]);
      if (!axes) rect.x += (rect.width - ew) / 2;
      rect.width = ew; rect.height = eh;
    }
    return { p, i, y, w, title, rect, left, right, xt, yt, turn, top, bottom, own, barTicks, used: rect.y + rect.height + bottom - y };
  }

  // ---- drawing ----

  draw(animate) {
    if (!this.chart || !this.host.clientWidth) return;
    const t = this.theme, width = this.host.clientWidth;
    this.faded = false;
    if (width !== this.width) this.head.style.minHeight = ''; // of the words at another width
    this.width = width;
    this.countSelected();
    const { cells, height, squeezed } = this.layout(width);
    this.cells = cells;
    this.stage.style.height = height + 'px';
    if (this.chart.getWidth() !== width || this.chart.getHeight() !== height) this.chart.resize({ width, height });
    const part = cells.find((c) => this.zoomed(c.i)), { back } = this;
    back.hidden = !part;
    if (this.moves) this.moves.pin();
    if (part) Object.assign(back.style, { right: width - part.rect.x - part.rect.width + 6 + 'px', top: part.rect.y + 6 + 'px' });
    const selected = this.group.selected;
    const smooth = animate && !calm.matches;
    const words = squeezed || width < 0.75 * this.fig.w ? [] : null; // where words stand, in a picture so small that they may meet
    const views = cells.map((c) => {
      const d = this.domain[c.i], r = c.rect, kx = r.width / (d.x[1] - d.x[0]), ky = r.height / (d.y[1] - d.y[0]);
      return {
        theme: t, share: (rows) => (selected && rows ? rows.filter((r) => selected.has(r)).length / rows.length : 1),
        place: (x, y) => [r.x + (x - d.x[0]) * kx, r.y + r.height - (y - d.y[0]) * ky],
        style: (m, i) => ({
          fill: color(m.fs ? m.fs[i] : m.f, t), stroke: color(m.ss ? m.ss[i] : m.s, t), lineWidth: m.w || (m.s || m.ss ? 1 : 0), lineDash: m.d,
          opacity: selected && m.rw && !selected.has(m.rw[i]) ? 0.12 : 1,
        }),
        alike: (m) => !m.fs && !m.ss && !(selected && m.rw) && m.k !== 'arrows', // one ink for all
      };
    });
    this.views = views;
    const pens = new Map();
    let large = false;
    const series = this.option.series.map((s) => {
      const panel = s.xAxisIndex || 0, raw = s.prl || (this.stepMarks || {})[s.id];
      const base = { id: s.id, name: s.name, xAxisIndex: panel, yAxisIndex: panel, z: 2 + (raw && raw.z ? raw.z : s.z || 0) / 1000, silent: true, animation: false };
      if (!raw || this.hidden.has(raw.key || '')) return { ...base, type: 'custom', data: [], renderItem: () => null };
      const m = unpack(raw, this.fig.panels[panel]);
      const zoomed = this.zoomed(panel), clip = !!m.c || zoomed;
      if (this.large(m)) {
        large = true;
        const data = Array.from({ length: m.n }, (_, i) => [m.xy[2 * i], m.xy[2 * i + 1]]), st = views[panel].style(m, 0);
        return { ...base, type: 'scatter', large: true, largeThreshold: 1, data, symbol: m.sy === 'square' ? 'rect' : m.sy === 'cross' || m.sy === 'plus' ? 'circle' : m.sy || 'circle', symbolSize: m.size, clip, itemStyle: { color: st.fill === 'none' ? st.stroke : st.fill, opacity: selected ? 0.08 : 1 } };
      }
      const pen = (this.pens && this.pens.get(s.id)) || new Pen();
      pens.set(s.id, pen);
      pen.take(m, views[panel], words && m.k === 'texts' && !m.a ? fitting(m, views[panel], words) : null, smooth && m.sm);
      return { ...base, type: 'custom', clip, coordinateSystem: 'cartesian2d', data: [[0, 0]], encode: { x: -1, y: -1 }, renderItem: () => ({ type: 'prl', shape: { pen }, style: { fill: 'none' }, silent: true }) };
    });
    this.pens = pens;
    const option = {
      animation: false, backgroundColor: 'transparent', textStyle: { fontFamily: font }, aria: { enabled: true, label: { description: this.fig.alt || this.fig.title || '' } },
      grid: cells.map((c) => ({ left: c.rect.x, top: c.rect.y, width: c.rect.width, height: c.rect.height, containLabel: false, outerBoundsMode: 'none', show: false })),
      xAxis: cells.map((c) => this.axisOption(c, 'x')), yAxis: cells.map((c) => this.axisOption(c, 'y')), series,
      graphic: { elements: cells.flatMap((c) => this.furniture(c)) },
    };
    // While a hand moves, the axes mostly stand: then there is nothing for ECharts to lay out anew, and the pens paint.
    const scenery = large ? null : JSON.stringify([option, cells.map((c) => [c.xt, c.yt])]);
    if (scenery && scenery === this.scenery) this.repaint();
    else this.chart.setOption(option, { replaceMerge: this.moves ? ['graphic', 'series'] : ['graphic'] }); // marks of a live figure come and go
    this.scenery = scenery;
    cancelAnimationFrame(this.gliding);
    if ([...pens.values()].some((p) => p.from)) this.glide();
    this.paintOverlay();
  }

  // repaint has the pens paint again.
  repaint() {
    for (const pen of this.pens.values()) if (pen.element) pen.element.markRedraw();
    this.chart.getZr().flush();
  }

  // glide moves the marks of a frame from where they stood in the last one.
  glide() {
    const took = 250, began = performance.now();
    const step = () => {
      if (!this.chart) return;
      const t = Math.min(1, (performance.now() - began) / took);
      for (const pen of this.pens.values()) pen.way = t < 0.5 ? 4 * t ** 3 : 1 - 4 * (1 - t) ** 3;
      this.repaint();
      if (t < 1) this.gliding = requestAnimationFrame(step);
    };
    this.gliding = requestAnimationFrame(step);
  }

  // countSelected says how many rows are selected, of all that the picture shows.
  countSelected() {
    const selected = this.group.selected;
    this.chosen.hidden = !selected;
    if (!selected) return;
    const all = new Set();
    for (const { m } of this.marks()) for (const rows of m.members || (m.rw ? [m.rw] : [])) for (const r of rows) all.add(r);
    let n = 0;
    for (const r of selected) if (all.has(r)) n++;
    this.chosen.textContent = `${group(String(n))} of ${group(String(all.size))} rows selected`;
  }

  large(m) { return m.k === 'symbols' && m.n > 3000 && !m.fs && !m.ss && !m.sz; }

  zoomed(i) {
    const d = this.domain[i], p = this.fig.panels[i];
    return d.x[0] !== p.x.lo || d.x[1] !== p.x.hi || d.y[0] !== p.y.lo || d.y[1] !== p.y.hi;
  }

  axisOption(c, name) {
    const t = this.theme, p = c.p, a = p[name], ticks = name === 'x' ? c.xt : c.yt, at = ticks.map((k) => k[0]), labels = new Map(ticks), d = this.domain[c.i][name];
    const on = !p.noAxes, pixels = name === 'x' ? c.rect.width : c.rect.height;
    return {
      type: 'value', gridIndex: c.i, show: true, min: d[0], max: d[1], scale: true, position: name === 'x' ? 'bottom' : 'left', animation: false,
      name: on ? a.label || '' : '', nameLocation: 'middle', nameGap: name === 'x' ? c.own - 17 : c.left - 13, nameMoveOverlap: false,
      nameTextStyle: { color: t.fg, fontSize: sizes.axis, fontFamily: font, width: Math.max(pixels, 120), overflow: 'truncate' },
      axisLine: { show: false, onZero: false }, minorTick: { show: false },
      axisTick: { show: on, length: 4, customValues: at, lineStyle: { color: t.muted, width: 1 } },
      axisLabel: { show: on, customValues: at, formatter: (v) => labels.get(v) ?? labels.get(closest(at, v)) ?? '', color: t.muted, fontSize: sizes.tick, fontFamily: font, margin: name === 'x' ? 9 : 8, rotate: name === 'x' ? c.turn : 0, hideOverlap: false, interval: 0, showMinLabel: true, showMaxLabel: true },
      splitLine: { show: false },
    };
  }

  // furniture draws what is not data: grid lines under the marks, axis lines and colour bars over them, panel titles.
  furniture(c) {
    const t = this.theme, { p, rect: r } = c, out = [], d = this.domain[c.i], crisp = (v) => Math.round(v) + 0.5;
    const line = (x1, y1, x2, y2, stroke, z, dash) => out.push({ type: 'line', silent: true, z, shape: { x1, y1, x2, y2 }, style: { stroke, lineWidth: 1, lineDash: dash } });
    const text = (x, y, words, style, rotation) => out.push({ type: 'text', silent: true, z: 60, x, y, rotation: rotation || 0, style: { text: words, fill: t.fg, font: `${sizes.axis}px ${font}`, ...style } });
    if (!p.noAxes) {
      if (p.x.grid) for (const [v] of c.xt) { const x = crisp(r.x + ((v - d.x[0]) / (d.x[1] - d.x[0])) * r.width); line(x, r.y, x, r.y + r.height, t.grid, 0); }
      if (p.y.grid) for (const [v] of c.yt) { const y = crisp(r.y + r.height - ((v - d.y[0]) / (d.y[1] - d.y[0])) * r.height); line(r.x, y, r.x + r.width, y, t.grid, 0); }
      line(r.x, crisp(r.y + r.height), r.x + r.width, crisp(r.y + r.height), t.muted, 50);
      line(crisp(r.x), r.y, crisp(r.x), r.y + r.height, t.muted, 50);
    }
    if (c.title) text(c.rect.x, c.y + 2, c.title, { font: `bold ${sizes.panel}px ${font}`, width: c.w - c.left, overflow: 'break', lineHeight: 17, verticalAlign: 'top' });
    if (p.bar) {
      const b = p.bar, x = r.x + r.width + 12, stops = b.diverging ? t.diverging : t.sequential;
      const height = Math.min(r.height, 260), top = r.y + (r.height - height) / 2, scale = (v) => top + height - ((v - b.lo) / (b.hi - b.lo)) * height;
      out.push({ type: 'rect', silent: true, z: 50, shape: { x, y: top, width: 12, height }, style: { fill: { type: 'linear', x: 0, y: 1, x2: 0, y2: 0, colorStops: stops.map((c, i) => ({ offset: i / (stops.length - 1), color: c })) } } });
      let last = Infinity;
      for (const [v, label] of c.barTicks) {
        const y = crisp(scale(v));
        if (y < top - 1 || y > top + height + 1 || Math.abs(last - y) < sizes.tick + 2) continue; // no room for its number
        last = y;
        line(x + 12, y, x + 16, y, t.muted, 50);
        text(x + 19, y, label, { fill: t.muted, font: `${sizes.tick}px ${font}`, verticalAlign: 'middle' });
      }
      if (b.label) text(x + 19 + Math.max(0, ...c.barTicks.map((k) => textWidth(k[1], sizes.tick))) + 12, r.y + r.height / 2, b.label, { align: 'center', verticalAlign: 'middle' }, Math.PI / 2);
    }
    return out;
  }

  // paintOverlay draws what comes and goes: the ring round the point under the pointer and its linked rows, the box being dragged.
  paintOverlay() {
    if (!this.cells || !this.chart) return;
    const t = this.theme, c = this.overlay, k = devicePixelRatio || 1, w = this.width, h = this.chart.getHeight();
    if (c.width !== Math.round(w * k) || c.height !== Math.round(h * k)) { c.width = Math.round(w * k); c.height = Math.round(h * k); c.style.width = w + 'px'; c.style.height = h + 'px'; }
    const g = c.getContext('2d');
    g.setTransform(k, 0, 0, k, 0, 0);
    g.clearRect(0, 0, w, h);
    const ring = (x, y, r) => { g.beginPath(); g.arc(x, y, r + 3, 0, 7); g.lineWidth = 3.5; g.strokeStyle = t.bg; g.stroke(); g.lineWidth = 1.75; g.strokeStyle = t.fg; g.stroke(); };
    const selected = this.group.selected, row = this.group.hover;
    if (row >= 0 || selected) for (const { panel, m } of this.marks()) {
      if (!m.rw || m.k !== 'symbols' || this.hidden.has(m.key)) continue;
      const place = this.views[panel].place, many = selected && this.large(m);
      for (let i = 0; i < m.n; i++) {
        if (m.rw[i] !== row && !many) continue;
        const [x, y] = place(m.xy[2 * i], m.xy[2 * i + 1]), r = (m.sz ? m.sz[i] : m.size) / 2, b = this.cells[panel].rect;
        if (x < b.x - 3 || x > b.x + b.width + 3 || y < b.y - 3 || y > b.y + b.height + 3) continue;
        if (m.rw[i] === row) ring(x, y, r);
        else if (selected.has(m.rw[i])) { g.beginPath(); g.arc(x, y, r, 0, 7); g.fillStyle = color(m.f, t); g.fill(); }
      }
    }
    if (this.hit && row < 0 && this.hit.m.k === 'symbols') ring(this.hit.x, this.hit.y, (this.hit.m.sz ? this.hit.m.sz[this.hit.i] : this.hit.m.size) / 2);
    if (this.hit && this.hit.m.k === 'paths') { g.beginPath(); g.arc(this.hit.x, this.hit.y, 4, 0, 7); g.fillStyle = color(this.hit.m.ss ? this.hit.m.ss[this.hit.i] : this.hit.m.s, t); g.fill(); g.lineWidth = 1.5; g.strokeStyle = t.bg; g.stroke(); }
    if (this.handles()) this.handles().paintOn(g, t);
    const d = this.drag;
    if (d && (d.mode === 'zoom' || d.mode === 'brush')) {
      const b = d.cell.rect, x0 = clamp(Math.min(d.from[0], d.to[0]), b.x, b.x + b.width), x1 = clamp(Math.max(d.from[0], d.to[0]), b.x, b.x + b.width);
      const y0 = clamp(Math.min(d.from[1], d.to[1]), b.y, b.y + b.height), y1 = clamp(Math.max(d.from[1], d.to[1]), b.y, b.y + b.height);
      g.globalAlpha = 0.1; g.fillStyle = t.fg; g.fillRect(x0, y0, x1 - x0, y1 - y0);
      g.globalAlpha = 1; g.lineWidth = 1; g.strokeStyle = t.muted; g.setLineDash(d.mode === 'brush' ? [4, 3] : []); g.strokeRect(x0 + 0.5, y0 + 0.5, x1 - x0, y1 - y0);
    }
  }
}
