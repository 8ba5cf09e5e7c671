(function () {
  "use strict";
  for (const box of document.querySelectorAll(".source, .prose .highlight")) {
    const code = box.querySelector("pre");
    if (!code) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      const text = code.textContent;
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        // a page opened from a file may have no clipboard: select and copy as of old
        const range = document.createRange();
        range.selectNodeContents(code);
        getSelection().removeAllRanges();
        getSelection().addRange(range);
        document.execCommand("copy");
      }
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    box.append(button);
  }
  // What is wider than its column is scrolled with the keys too.
  const reach = () => {
    for (const n of document.querySelectorAll("pre, .display, .wide, .katex-display, .numbered > .katex")) {
      if (n.scrollWidth > n.clientWidth + 1) n.tabIndex = 0;
      else if (n.tabIndex === 0) n.removeAttribute("tabindex");
    }
  };
  addEventListener("load", reach);
  addEventListener("resize", reach);
  // Tools: the colours, for all pages of the course, and the code of this one. A choice is kept where the browser keeps one.
  const kept = (name, value) => {
    try {
      if (value === undefined) return localStorage.getItem(name);
      localStorage.setItem(name, value);
    } catch { /* a page opened from a file may have no memory */ }
    return null;
  };
  const tools = {
    theme: { name: "Colours", choices: ["system", "light", "dark"], set: (c) => { if (c === "system") delete document.documentElement.dataset.theme; else document.documentElement.dataset.theme = c; } },
    code: {
      name: "Code", choices: ["as written", "all open", "all folded"],
      set: (c, first) => {
        if (first && c === "as written") return;
        for (const box of document.querySelectorAll(".hidden-source")) box.open = c === "all open";
        document.body.classList.toggle("code-folded", c === "all folded");
      },
    },
  };
  for (const button of document.querySelectorAll("[data-tool]")) {
    const tool = tools[button.dataset.tool], key = "prl-" + button.dataset.tool;
    let at = Math.max(0, tool.choices.indexOf(kept(key)));
    const show = (first) => {
      tool.set(tool.choices[at], first);
      button.textContent = `${tool.name}: ${tool.choices[at]}`;
    };
    button.addEventListener("click", () => {
      at = (at + 1) % tool.choices.length;
      kept(key, tool.choices[at]);
      show();
    });
    show(true);
    button.parentElement.hidden = false;
  }
  // Pages ask the index, which holds the text of them all.
  const seek = document.querySelector("nav.contents .seek");
  if (seek) {
    const field = seek.querySelector("input");
    seek.hidden = false;
    field.addEventListener("keydown", (e) => { if (e.key === "Enter" && field.value.trim()) location.href = "index.html#q=" + encodeURIComponent(field.value.trim()); });
    addEventListener("keydown", (e) => {
      if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey || document.activeElement.matches("input, textarea, select, [contenteditable]")) return;
      e.preventDefault();
      seek.closest("details").open = true;
      field.focus();
    });
  }
  // A live figure changes its title, and its name follows.
  for (const name of document.querySelectorAll(".prl-live > .figure-name")) {
    const words = name.lastChild, printed = words.data, said = () => name.parentElement.querySelector(".prl-title")?.textContent;
    let first; // title, which the printed name has in letters of its own
    const follow = () => {
      first ??= said();
      const now = said() === first ? printed : " " + said();
      if (first && words.data !== now) words.data = now;
    };
    if (printed) new MutationObserver(follow).observe(name.parentElement, { subtree: true, childList: true, characterData: true });
  }
  // A formula is copied as TeX, whole even if the selection begins or ends in it.
  document.addEventListener("copy", (e) => {
    const selection = getSelection();
    if (selection.isCollapsed || !e.clipboardData) return;
    const range = selection.getRangeAt(0).cloneRange(), formula = (n) => (n.nodeType === Node.ELEMENT_NODE ? n : n.parentElement).closest(".katex");
    const from = formula(range.startContainer), to = formula(range.endContainer);
    if (from) range.setStartBefore(from);
    if (to) range.setEndAfter(to);
    const part = range.cloneContents();
    const formulas = part.querySelectorAll(".katex[data-tex]");
    if (!formulas.length) return;
    for (const k of formulas) {
      const sign = k.closest(".katex-display") ? "$$" : "$";
      k.replaceWith(sign + k.dataset.tex + sign);
    }
    e.clipboardData.setData("text/plain", part.textContent.trim());
    e.preventDefault();
  });
  // A reference shows what it leads to, while it is pointed at or has the focus: a figure, a formula, a work.
  const stills = new Map(); // before their figures are drawn in their place
  const target = (a) => document.getElementById(a.dataset.preview || decodeURIComponent(a.hash.slice(1)));
  const references = document.querySelectorAll("a.ref");
  for (const a of references) {
    const img = a.hash.startsWith("#fig-") && !a.dataset.preview && target(a)?.querySelector("img");
    if (img) stills.set(a, img.cloneNode());
  }
  let box = null, owner = null, wait = 0;
  const close = () => {
    clearTimeout(wait);
    if (box) box.remove();
    if (owner) owner.removeAttribute("aria-describedby");
    box = owner = null;
  };
  const open = (a) => {
    const to = target(a);
    if (owner === a || !to) return;
    close();
    owner = a;
    box = document.createElement("div");
    box.className = "preview";
    box.id = "preview";
    box.setAttribute("role", "tooltip");
    if (to.content) box.append(to.content.cloneNode(true));
    else if (stills.has(a)) {
      const img = document.createElement("img"), still = stills.get(a), name = to.querySelector(".figure-name");
      img.alt = still.alt;
      img.src = still.src;
      box.append(img, name ? name.cloneNode(true) : "");
    } else {
      const copy = to.cloneNode(true);
      copy.removeAttribute("id");
      for (const n of copy.querySelectorAll("[id]")) n.removeAttribute("id");
      box.append(...(copy.matches("li, p") ? copy.childNodes : [copy]));
    }
    document.body.append(box);
    a.setAttribute("aria-describedby", "preview");
    const place = () => {
      if (!box || owner !== a) return;
      const at = a.getBoundingClientRect(), width = document.documentElement.clientWidth, below = innerHeight - at.bottom, up = box.offsetHeight + 18 > below && at.top > below;
      box.style.maxHeight = Math.max(120, (up ? at.top : below) - 18) + "px";
      box.style.left = Math.max(8, Math.min(at.left, width - box.offsetWidth - 8)) + scrollX + "px";
      box.style.top = (up ? at.top - 6 - box.offsetHeight : at.bottom + 6) + scrollY + "px";
    };
    place();
    for (const img of box.querySelectorAll("img")) img.addEventListener("load", place);
    box.addEventListener("pointerenter", () => clearTimeout(wait));
    box.addEventListener("pointerleave", later);
  };
  const later = () => { clearTimeout(wait); wait = setTimeout(close, 250); };
  for (const a of references) {
    a.addEventListener("pointerenter", (e) => { if (e.pointerType !== "touch") { clearTimeout(wait); wait = setTimeout(open, 200, a); } });
    a.addEventListener("pointerleave", later);
    a.addEventListener("focus", () => { if (a.matches(":focus-visible")) open(a); });
    a.addEventListener("blur", close);
    a.addEventListener("click", close);
  }
  if (references.length) addEventListener("keydown", (e) => { if (e.key === "Escape") close(); });
  const contents = document.querySelector("nav.contents details");
  if (contents && matchMedia("(max-width: 70rem)").matches) contents.open = false;
})();
