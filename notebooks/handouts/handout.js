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
  const contents = document.querySelector("nav.contents details");
  if (contents && matchMedia("(max-width: 70rem)").matches) contents.open = false;
})();
