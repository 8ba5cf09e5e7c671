// What the reader has written: kept in the browser, and saved as a notebook.

export class Store {
  constructor(page) { Object.assign(this, { page, key: 'prl-cells ' + location.pathname, texts: {}, waiting: 0 }); }

  keep(cell) {
    if (cell.text === cell.printed && !cell.raw.own) delete this.texts[cell.id]; else this.texts[cell.id] = cell.text;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.write(), 300);
  }

  // write keeps the cells that differ: their texts, and before which cell those of the reader's own stand.
  write() {
    const own = this.page.notebook.cells.filter((c) => c.own && this.page.cells.has(c.id)).map((c) => ({ id: c.id, before: c.own.before }));
    const texts = Object.fromEntries(Object.entries(this.texts).filter(([id]) => this.page.cells.has(id)));
    try {
      if (own.length || Object.keys(texts).length) localStorage.setItem(this.key, JSON.stringify({ texts, own }));
      else localStorage.removeItem(this.key);
    } catch { /* a page opened from a file may have no memory */ }
  }

  restore() {
    let kept = null;
    try { kept = JSON.parse(localStorage.getItem(this.key)); } catch { return; }
    if (!kept) return;
    for (const { id, before } of kept.own) this.page.add(before, id, kept.texts[id] ?? '');
    for (const [id, text] of Object.entries(kept.texts)) {
      const cell = this.page.cells.get(id);
      if (!cell || cell.text === text) continue;
      cell.text = this.texts[id] = text;
      cell.edit(false);
    }
    for (const { id } of kept.own) this.texts[id] = this.page.cells.get(id).text;
  }
}

const lines = (text) => text.split(/(?<=\n)/);

// save gives the reader the notebook with the texts as they are. It has no outputs: the lab, or a collector, runs it.
export function save({ notebook, cells }) {
  const saved = { ...notebook, cells: notebook.cells.map(({ own, ...c }) => (cells.has(c.id) ? { ...c, source: lines(cells.get(c.id).text) } : c)) };
  const a = document.createElement('a');
  a.href = URL.createObjectURL(new Blob([JSON.stringify(saved, null, 1) + '\n'], { type: 'application/x-ipynb+json' }));
  a.download = location.pathname.replace(/^.*\//, '').replace(/\.html$/, '') + '.ipynb';
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 60000);
}
