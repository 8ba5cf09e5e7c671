// Cuts a notebook's cells into slides and hands them to reveal.js. What fits on a slide is measured here, with the fonts that are there.
(async function () {
  "use strict";
  const source = document.querySelector("main.deck");
  const printing = /[?&](print-pdf|view=print)/i.test(location.search);
  const smallest = { code: 12, table: 13, formula: 0.55 };
  // On paper the stills are sharper, and nothing can be dragged: the runtime stays away.
  if (printing) window.prlLoading = Infinity;
  // Slides are scaled up to the screen: charts need more pixels than a page that is not.
  const ratio = Math.min(3, 2 * (window.devicePixelRatio || 1));
  Object.defineProperty(window, "devicePixelRatio", { configurable: true, get: () => ratio });

  const el = (tag, className, text) => {
    const node = document.createElement(tag);
    if (className) node.className = className;
    if (text !== undefined) node.textContent = text;
    return node;
  };
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  await Promise.race([document.fonts.ready, wait(5000)]);
  await Promise.race([Promise.all([...source.querySelectorAll("img:not(.prl-figure)")].map((i) => i.decode().catch(() => 0))), wait(5000)]);

  // ---- the pieces of the notebook, in order ----

  // A piece is {type, node}: heading, text, code, figure, table, check, printed, notes, or a break that the notebook asks for.
  function pieces() {
    const all = [];
    for (const cell of source.querySelectorAll(":scope > section")) {
      const kind = cell.dataset.slide, solution = cell.classList.contains("tag-solution");
      if (kind === "notes") { all.push({ type: "notes", node: cell }); continue; }
      if (kind === "slide" || kind === "subslide") all.push({ type: kind });
      const start = all.length;
      if (solution && !/^Solution/.test(cell.textContent.trim())) all.push({ type: "text", node: el("p", "solution-name", "Solution") });
      for (const part of cell.children) {
        if (part.matches(".prose")) for (const node of [...part.children]) all.push(prose(node));
        else if (part.matches(".source")) {
          // What checks compute is for the page and the notebook; a lecture shows what came out, unless the cell asks for a slide.
          if (!cell.classList.contains("tag-check") || kind) all.push({ type: "code", node: part });
        } else if (part.matches(".output")) for (const node of [...part.children]) all.push(...unfold(node).map(output));
      }
      if (kind === "fragment") for (const p of all.slice(start)) p.fragment = true;
    }
    return all;
  }

  // unfold gives each claim of a line of proofs an output of its own, so that a slide can hold as many as there is room for.
  function unfold(node) {
    const claims = [...node.querySelectorAll("details.prl-proofs [data-prl-check]")];
    if (!claims.length) return [node];
    return claims.map((claim) => { const one = el("div", node.className); one.append(claim); return one; });
  }

  function prose(node) {
    if (/^H[1-6]$/.test(node.tagName)) return { type: "heading", level: +node.tagName[1], node };
    if (node.matches(".wide, table")) { node.classList.add("prose-table"); return { type: "table", node }; }
    return { type: node.matches(".highlight, pre") ? "code" : "text", node };
  }

  function output(node) {
    if (node.querySelector("img.prl-figure")) return { type: "figure", node };
    if (node.querySelector("[data-prl-check]")) { node.classList.add("check"); return { type: "check", node }; }
    if (node.querySelector("table")) return { type: "table", node };
    return { type: node.matches("pre") ? "printed" : "text", node };
  }

  const holds = (p) => !!p && p.type === "check" && !p.fragment && p.node.querySelector('[data-prl-outcome="passed"]');

  // ---- slides ----

  const deck = el("div", "reveal"), slides = el("div", "slides");
  deck.append(slides);
  const bench = el("div", "reveal bench"); // where slides are filled and measured, at their own size
  bench.style.cssText = "position:absolute;left:0;top:0;width:1280px;height:720px;visibility:hidden;overflow:hidden";
  document.body.append(bench);
  const title = document.title, course = source.querySelector(".course-title").textContent;
  let topic = null, over = null, name = null, sheet = null, room = null, last = null, shown = null;

  function finish() {
    if (!sheet) return;
    sheet.remove();
    if (sheet.dataset.bare && !room.childElementCount) { sheet.parentSlide.remove(); } else sheet.parentSlide.append(sheet);
    sheet = room = null;
  }

  // open begins a slide; a later one goes on with what did not fit.
  function open(later) {
    finish();
    later = later || (!!name && shown === name);
    shown = name;
    if (!topic) { topic = el("section", "topic"); slides.append(topic); }
    const slide = el("section");
    topic.append(slide);
    last = sheet = el("div", "sheet" + (later ? " later" : ""));
    sheet.parentSlide = slide;
    const head = el("header");
    if (over && name && over !== name) head.append(copied(over, "p", "over"));
    if (name) {
      const heading = copied(name, name.tagName.toLowerCase());
      if (!later && name.id) { slide.id = name.id; }
      head.append(heading);
    }
    room = el("div", "room");
    sheet.append(head, room, el("footer", "", course === title ? title : course + " · " + title));
    bench.append(sheet);
  }

  function copied(heading, tag, className) {
    const node = el(tag, className);
    node.append(...heading.cloneNode(true).childNodes);
    return node;
  }

  const overflows = () => room.scrollHeight > room.clientHeight + 1 || room.scrollWidth > room.clientWidth + 1;
  const tooWide = () => room.scrollWidth > room.clientWidth + 1;
  const tooHigh = () => room.scrollHeight > room.clientHeight + 1;

  // shrink makes the letters of a node smaller until the room holds it; it says whether that was enough.
  function shrink(node, least, fine) {
    let size = parseFloat(getComputedStyle(node).fontSize);
    while (!fine() && size > least) node.style.setProperty("font-size", (size = Math.max(least, size - 0.5)) + "px", "important");
    return fine();
  }

  function narrow(node) {
    for (const table of node.matches("table") ? [node] : node.querySelectorAll("table")) if (tooWide()) shrink(table, smallest.table, () => !tooWide());
    for (const formula of node.querySelectorAll(".katex-display > .katex")) {
      const wide = formula.scrollWidth || formula.getBoundingClientRect().width, base = formula.closest(".katex-display");
      const bases = [...formula.querySelectorAll(".katex-html > .katex-base, .katex-html > .base, .katex-html > .katex-tag, .katex-html > .tag")].reduce((w, b) => w + b.getBoundingClientRect().width, 0);
      const need = Math.max(wide, bases);
      if (need > base.clientWidth) formula.style.fontSize = Math.max(smallest.formula, (1.08 * base.clientWidth) / need - 0.01) + "em";
    }
  }

  // place puts a piece on the slide, or on the next; what is larger than a slide is split.
  function place(piece) {
    const { node } = piece;
    if (!sheet) open(false);
    if (piece.fragment) node.classList.add("fragment");
    room.append(node);
    narrow(node);
    if (!overflows()) return;
    if (room.childElementCount > 1) {
      const keep = [];
      node.remove();
      // A name or a line that announces what follows does not stay behind.
      while (room.childElementCount > 1 && /^H[3-6]$|solution-name/.test(room.lastElementChild.tagName + " " + room.lastElementChild.className)) { keep.unshift(room.lastElementChild); room.lastElementChild.remove(); }
      open(true);
      room.append(...keep, node);
      narrow(node);
      if (!overflows()) return;
    }
    divide(piece);
  }

  function divide(piece) {
    const { node, type } = piece;
    const list = node.matches("ul, ol") && node.childElementCount > 1, rows = node.querySelectorAll("tbody tr").length;
    if (list) return divideChildren(piece, node);
    if (type === "table" && rows > 3) return divideTable(piece);
    if (type === "text" && node.matches("blockquote") && node.childElementCount > 1) return divideChildren(piece, node);
    if (type === "text" && node.matches("p") && node.childNodes.length && divideText(piece)) return;
    if (type === "code" || type === "printed") return fitCode(node);
    scroll(node);
  }

  // take moves as many parts as fit into node, at least one, and returns the others.
  function take(parts, put, drop) {
    let low = 1, high = parts.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      put(parts.slice(0, middle));
      if (overflows()) high = middle - 1; else low = middle;
    }
    put(parts.slice(0, low));
    if (drop) drop(low);
    return parts.slice(low);
  }

  function divideChildren(piece, node) {
    const rest = take([...node.children], (some) => node.replaceChildren(...some));
    if (!rest.length) return scroll(node);
    const next = node.cloneNode(false);
    if (node.matches("ol")) next.start = (node.start || 1) + node.childElementCount;
    next.append(...rest);
    open(true);
    place({ ...piece, node: next });
  }

  function divideTable(piece) {
    const body = piece.node.querySelector("tbody"), rest = take([...body.children], (some) => body.replaceChildren(...some));
    if (!rest.length) return scroll(piece.node);
    const shown = [...body.children];
    body.replaceChildren();
    const next = piece.node.cloneNode(true);
    body.append(...shown);
    next.querySelector("tbody").append(...rest);
    open(true);
    place({ ...piece, node: next });
  }

  function divideText(piece) {
    const { node } = piece, parts = [];
    for (const child of [...node.childNodes]) {
      if (child.nodeType === Node.TEXT_NODE) for (const word of child.textContent.match(/\s*\S+\s*|\s+/g) || []) parts.push(document.createTextNode(word));
      else parts.push(child);
    }
    const rest = take(parts, (some) => node.replaceChildren(...some));
    if (!rest.length || overflows()) return false;
    const next = el("p", node.className);
    next.append(...rest);
    open(true);
    place({ ...piece, node: next });
    return true;
  }

  // fitCode lets code shrink as long as it can be read. Longer code scrolls in its box, and on paper goes on on the next slide.
  function fitCode(node) {
    const pre = node.matches("pre") ? node : node.querySelector("pre");
    if (shrink(pre, smallest.code, () => !overflows())) return;
    if (!printing) {
      pre.style.setProperty("font-size", "15px", "important");
      return scroll(pre);
    }
    const lines = pre.innerHTML.replace(/\n$/, "").split("\n"), rest = take(lines, (some) => { pre.innerHTML = some.join("\n"); });
    if (!rest.length) return;
    const next = node.cloneNode(true);
    (next.matches("pre") ? next : next.querySelector("pre")).innerHTML = rest.join("\n");
    open(true);
    room.append(next);
    if (overflows()) fitCode(next);
  }

  function scroll(node) {
    node.classList.add("scrolls");
    node.tabIndex = 0;
    node.setAttribute("aria-label", "More below");
    node.style.maxHeight = "none";
    const top = node.getBoundingClientRect().top, bottom = room.getBoundingClientRect().bottom;
    node.style.boxSizing = "border-box";
    node.style.maxHeight = Math.max(80, bottom - top) + "px";
    node.style.maxWidth = room.clientWidth + "px";
    sheet.querySelector(":scope > footer").append(node.matches("pre") ? ` · scroll for all ${node.textContent.trim().split("\n").length} lines` : " · scroll for the rest");
  }

  // Checks that hold stand beneath the text if there is room for all of them; else the foot of the slide counts them.
  function quietly(checks) {
    if (sheet) {
      room.append(...checks);
      if (!overflows()) return;
      for (const c of checks) c.remove();
    }
    if (!last) open(false);
    let note = last.querySelector(":scope > footer .held");
    if (!note) { note = el("span", "held"); note.claims = []; last.querySelector(":scope > footer").append(note); }
    note.claims.push(...checks.map((c) => c.textContent.trim()));
    note.textContent = note.claims.length === 1 ? "✓ 1 check holds" : `✓ ${note.claims.length} checks hold`;
    note.title = note.claims.join("\n");
  }

  // A chart has a slide of its own.
  function figure({ node, fragment }) {
    if (!sheet || room.childElementCount) open(!!sheet);
    const fit = el("div", "fit" + (fragment ? " fragment" : "")), natural = el("div", "natural");
    natural.append(...node.childNodes);
    fit.append(natural);
    room.append(fit);
    const used = sheet;
    finish();
    used.classList.add("pictured");
  }

  function build() {
    const all = pieces(), asked = all.some((p) => p.type === "slide" || p.type === "subslide");
    const first = all.findIndex((p) => p.type === "heading" && p.level === 1);
    opening(first >= 0 ? all[first].node : el("h1", "", title));
    let fresh = false; // a slide that the notebook asked for still waits for its name
    all.forEach((piece, i) => {
      switch (piece.type) {
        case "slide":
        case "subslide":
          finish();
          if (piece.type === "slide") topic = null;
          over = null;
          name = null;
          fresh = true;
          return;
        case "notes": {
          const notes = el("aside", "notes");
          notes.append(...piece.node.childNodes);
          (sheet ? sheet.parentSlide : slides.querySelector(":scope > section:last-child > section:last-child, :scope > section:last-child")).append(notes);
          return;
        }
        case "heading":
          if (i === first) { if (!asked) { finish(); topic = null; over = name = piece.node; name.removeAttribute("id"); } fresh = false; return; }
          if (asked ? fresh : piece.level <= 3) {
            finish();
            if (!asked && piece.level <= 2) { topic = null; over = null; }
            if (!asked && piece.level === 2) over = piece.node;
            name = piece.node;
            fresh = false;
            open(false);
            sheet.dataset.bare = "1";
            return;
          }
          return place({ type: "text", node: piece.node });
        case "figure":
          fresh = false;
          figure(piece);
          return;
        case "check":
          if (holds(piece)) {
            if (holds(all[i - 1])) return; // told with the first
            let n = i;
            while (holds(all[n])) n++;
            return quietly(all.slice(i, n).map((p) => p.node));
          }
          // falls through
        default:
          fresh = false;
          if (!sheet && slides.lastElementChild && topic) open(true);
          place(piece);
      }
    });
    finish();
    for (const t of [...slides.children]) { if (!t.querySelector(".sheet")) t.remove(); }
    for (const t of slides.children) if (t.childElementCount === 1 && t.firstElementChild.tagName === "SECTION") { if (t.firstElementChild.id) t.id = t.firstElementChild.id; t.replaceChildren(...t.firstElementChild.childNodes); }
  }

  function opening(heading) {
    const slide = el("section"), page = el("div", "sheet opening"), head = el("header"), words = el("div", "room");
    const given = source.querySelector(".deck-title"), logo = given.querySelector(".logo");
    slide.id = heading.id || "title";
    if (logo) head.append(logo);
    head.append(copied(heading, "h1"));
    words.append(given.querySelector(".course-title"), given.querySelector(".byline"));
    page.append(head, words);
    slide.append(page);
    slides.append(slide);
  }

  build();
  bench.remove();
  source.replaceWith(deck);
  const ids = new Set([...slides.querySelectorAll("section[id]")].map((s) => s.id));
  for (const a of slides.querySelectorAll('a[href^="#"]')) { const id = a.getAttribute("href").slice(1); if (ids.has(id)) a.setAttribute("href", "#/" + id); else if (!id.startsWith("/")) a.removeAttribute("href"); }

  // ---- charts: as large as the slide lets them ----

  const most = 1.7;
  function fit(natural) {
    const box = natural.parentNode, img = natural.querySelector("img.prl-figure"), host = natural.querySelector(".prl-host.prl-on");
    const width = host ? parseFloat(host.style.maxWidth) || img.naturalWidth : img.naturalWidth || +img.getAttribute("width") || 640;
    natural.style.width = width + "px";
    const height = host ? natural.offsetHeight : (img.naturalHeight / img.naturalWidth) * width || 420;
    if (!host) { img.style.width = width + "px"; img.style.height = height + "px"; }
    const k = Math.min(most, box.clientWidth / width, box.clientHeight / height);
    if (box.clientWidth) natural.style.transform = `scale(${k}) translate(-50%, -50%)`;
  }
  const watch = new ResizeObserver((seen) => { for (const s of seen) if (s.target.offsetWidth) fit(s.target); });
  for (const natural of slides.querySelectorAll(".natural")) {
    watch.observe(natural);
    natural.querySelector("img.prl-figure").addEventListener("load", () => fit(natural));
  }

  // ---- keys: the mouse leaves them with the slides, the tabulator key gives them to a chart, Escape takes them back ----

  const held = () => { const a = document.activeElement; return a && a !== document.body && a.closest(".prl-box, .scrolls") ? a : null; };
  addEventListener("pointerup", () => setTimeout(() => { const a = held(); if (a) a.blur(); }), true);
  addEventListener("keydown", (e) => {
    const a = held();
    if (!a) return;
    const turn = { Escape: () => {}, PageUp: () => Reveal.prev(), PageDown: () => Reveal.next() }[e.key]; // a presenter's keys always turn slides
    if (!turn) return;
    e.stopPropagation();
    e.preventDefault();
    a.blur();
    turn();
  }, true);

  // ---- speaker notes: S opens them in a window of their own ----

  let speaker = null;
  function tell() {
    if (!speaker || speaker.closed) return;
    const now = Reveal.getCurrentSlide(), list = Reveal.getSlides(), next = list[list.indexOf(now) + 1], d = speaker.document;
    const heading = (s) => { const h = s && s.querySelector("header :is(h1, h2, h3)"); return h ? h.textContent : "end"; };
    d.title = "Notes: " + title;
    const notes = d.createElement("div"), aside = now.querySelector("aside.notes");
    if (aside) notes.innerHTML = aside.innerHTML; else notes.textContent = "No notes on this slide.";
    const line = (tag, text) => { const n = d.createElement(tag); n.textContent = text; return n; };
    d.body.style.cssText = "font:22px/1.5 sans-serif;margin:24px";
    d.body.replaceChildren(line("h2", heading(now)), notes, line("p", "Next: " + heading(next)), line("p", `${list.indexOf(now) + 1} of ${list.length}, since ${began}`));
  }
  const began = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

  await Reveal.initialize({
    width: 1280, height: 720, margin: 0, minScale: 0.1, maxScale: 6, center: false, hash: true, slideNumber: "c/t", controlsTutorial: false,
    transition: "none", backgroundTransition: "none", viewDistance: 2, mobileViewDistance: 1, pdfSeparateFragments: false, pdfMaxPagesPerSlide: 1, scrollActivationWidth: null,
    // A control that has the keys keeps those it needs.
    keyboardCondition: (e) => { const a = held(); return !a || !(a.matches("input, .scrolls") || (a.matches("button") && (e.key === " " || e.key === "Enter"))); },
    keyboard: { 83: () => { speaker = window.open("", "prl-notes", "width=700,height=600"); tell(); } },
  });
  Reveal.on("slidechanged", tell);
  for (const natural of slides.querySelectorAll(".natural")) fit(natural);
  window.prlSlides = true;
})();
