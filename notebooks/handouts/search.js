// The search of the index page: over all passages of all chapters, which the page holds, without a server.
(function () {
  "use strict";
  const box = document.querySelector(".seek"), field = box.querySelector("input"), list = document.querySelector(".found"), told = document.querySelector(".found-count");
  const most = 40, before = 60, after = 160;
  const empty = new Set("a an and are as at be by for from in is it of on or that the this to was with".split(" "));
  let engine = null, pages = null;

  function ready() {
    if (engine) return;
    const held = JSON.parse(document.querySelector("[data-prl-passages]").textContent);
    pages = held.pages;
    engine = new MiniSearch({
      idField: "n",
      fields: ["h", "title", "t", "w"],
      storeFields: ["c", "i", "h", "t"],
      searchOptions: { boost: { h: 4, title: 2 }, prefix: (word) => word.length > 2, fuzzy: (word) => (word.length > 4 ? 0.15 : 0) },
      processTerm: (word) => ((word) => (empty.has(word) ? null : word))(word.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()),
    });
    engine.addAll(held.passages.map((p, n) => ({ ...p, n, title: p.i ? "" : pages[p.c].t })));
  }

  // excerpt is the part of the text with most of the words that were found, marked.
  function excerpt(text, words) {
    const line = document.createElement("p"), plain = words.map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const found = plain.length ? new RegExp("(?<![\\p{L}\\p{N}])(?:" + plain.sort((a, b) => b.length - a.length).join("|") + ")", "giu") : null;
    const hits = found ? [...text.matchAll(found)] : [];
    let at = 0, best = 0;
    for (const [i, hit] of hits.entries()) {
      const words = new Set();
      for (let k = i; k < hits.length && hits[k].index < hit.index + after - 20; k++) words.add(hits[k][0].toLowerCase());
      if (words.size > best) [at, best] = [hit.index, words.size];
    }
    const from = at > before ? text.lastIndexOf(" ", at - before) + 1 : 0;
    const part = text.slice(from, at + after).replace(/\s\S*$/, at + after < text.length ? "" : "$&");
    if (from > 0) line.append("… ");
    let done = 0;
    for (const m of found ? part.matchAll(found) : []) {
      line.append(part.slice(done, m.index));
      const mark = document.createElement("mark");
      mark.textContent = m[0];
      line.append(mark);
      done = m.index + m[0].length;
    }
    line.append(part.slice(done), from + part.length < text.length ? " …" : "");
    return line;
  }

  function show() {
    const asked = field.value.trim();
    history.replaceState(null, "", asked ? "#q=" + encodeURIComponent(asked) : location.pathname + location.search);
    document.body.classList.toggle("seeking", asked !== "");
    list.replaceChildren();
    if (!asked) {
      told.textContent = "";
      return;
    }
    ready();
    let all = engine.search(asked, { combineWith: "AND" }), some = "";
    if (!all.length) {
      all = engine.search(asked);
      if (all.length) some = "No place has all these words. ";
    }
    told.textContent = some + (all.length ? `${all.length} place${all.length === 1 ? "" : "s"}` + (all.length > most ? `, the best ${most} of them` : "") : "Nothing found");
    for (const hit of all.slice(0, most)) {
      const item = document.createElement("li"), link = document.createElement("a"), where = document.createElement("span");
      link.href = pages[hit.c].f + (hit.i ? "#" + hit.i : "");
      link.textContent = hit.h || pages[hit.c].t;
      where.className = "where";
      where.textContent = pages[hit.c].t;
      item.append(link, " ", where, excerpt(hit.t, hit.terms));
      list.append(item);
    }
  }

  box.hidden = false;
  field.addEventListener("focus", ready, { once: true });
  field.addEventListener("input", show);
  // The arrows go from the field through what was found and back; Escape clears.
  addEventListener("keydown", (e) => {
    const links = [...list.querySelectorAll("a")], at = links.indexOf(document.activeElement);
    if (e.key === "/" && document.activeElement !== field && !e.ctrlKey && !e.metaKey && !e.altKey) {
      e.preventDefault();
      field.focus();
      field.select();
    } else if (e.key === "ArrowDown" && links.length && (at >= 0 || document.activeElement === field)) {
      e.preventDefault();
      links[Math.min(at + 1, links.length - 1)].focus();
    } else if (e.key === "ArrowUp" && at >= 0) {
      e.preventDefault();
      (at ? links[at - 1] : field).focus();
    } else if (e.key === "Enter" && document.activeElement === field && links.length) {
      links[0].click();
    } else if (e.key === "Escape" && (at >= 0 || document.activeElement === field)) {
      field.value = "";
      field.focus();
      show();
    }
  });
  const begin = () => {
    const asked = /^#q=(.+)/.exec(location.hash);
    if (!asked) return;
    try {
      field.value = decodeURIComponent(asked[1]);
    } catch {
      return;
    }
    show();
    field.focus();
  };
  addEventListener("hashchange", begin);
  begin();
})();
