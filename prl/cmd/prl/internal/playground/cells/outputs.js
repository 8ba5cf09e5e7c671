// What a run shows below its cell. Texts and HTML come from the program of the cell, so nothing of them is taken as it is: HTML is cleaned by
// the same rules as that of foreign notebooks.

const most = { letters: 400000, html: 40e6, blocks: 200 };

// meter gives a function that is told each output of a run and reports whether they are more than a page shows.
export function meter() {
  const shown = new Set();
  let letters = 0, html = 0, blocks = 0, last = '';
  return (output) => {
    letters += String(output.text).length;
    html += String(output.html ?? '').length;
    const block = output.fd ? 'fd ' + output.fd : output.id ? 'id ' + output.id : '';
    if (!block || (block !== last && !shown.has(block))) blocks++;
    if (output.id) shown.add(block);
    last = block;
    return letters > most.letters || html > most.html || blocks > most.blocks;
  };
}

const blank = 'data:image/svg+xml,' + encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="640" height="420"/>');

async function zipped(data) {
  return new Uint8Array(await new Response(new Blob([data]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer());
}

async function letters(text) {
  let s = '';
  for (const b of await zipped(text)) s += String.fromCharCode(b);
  return btoa(s);
}

let runs = 0;

// about is what a live figure says of itself, or null.
function about(text) {
  try { return text ? JSON.parse(text) : null; } catch { return null; }
}

// describe turns what a program says of a figure into what the runtime of figures reads. source gives the name under which the programs of
// the page hold that of a live figure or a film.
export async function describe(img, cell, source) {
  const spec = img.dataset.prlSpec;
  img.removeAttribute('data-prl-spec');
  for (const kind of ['prlLive', 'prlFilm']) {
    const live = about(img.dataset[kind]);
    delete img.dataset[kind];
    if (!live) continue;
    img.dataset[kind] = JSON.stringify({ ...live, cell });
    img.dataset.prlSrc = await source();
  }
  img.dataset.prlFigure = await letters(spec);
  img.src = blank;
}

// keep puts the program of live figures among those of the page.
export async function keep(source, { module, engine }) {
  (window.prlPrograms ??= {})[source] = { exec: engine.script, module: { bytes: await zipped(module) } };
}

export class Outputs {
  constructor(engine, after) { Object.assign(this, { engine, after, used: false, blocks: [], much: meter(), errors: '', cleaning: Promise.resolve() }); }

  clear() {
    if (this.source) delete window.prlPrograms[this.source];
    this.source = '';
    if (this.box) this.box.remove();
    Object.assign(this, { box: null, used: false, blocks: [], much: meter(), errors: '', cleaning: Promise.resolve() });
  }

  place() {
    if (this.box) return this.box;
    this.used = true;
    this.box = document.createElement('div');
    this.box.className = 'output go-output';
    this.after.after(this.box);
    return this.box;
  }

  block(kind, name) {
    const n = document.createElement(kind);
    n.className = name;
    this.place().append(n);
    this.blocks.push(n);
    return n;
  }

  fault(text) { this.block('pre', 'printed failed').textContent = text; }

  // take shows one output of a program; loud is called when there are too many.
  take(output, loud) {
    const { fd, text, html, id } = output;
    if (this.much(output)) return loud();
    if (fd) {
      const name = fd === 2 ? 'printed stderr' : 'printed', last = this.blocks.at(-1);
      const to = last && last.className === name ? last : this.block('pre', name);
      if (to.firstChild) to.firstChild.appendData(text); else to.textContent = text;
      if (fd === 2) this.errors += text;
      return;
    }
    if (!html) { this.block('pre', 'printed').textContent = text; return; }
    const old = id && this.blocks.find((b) => b.prlID === id), box = old || this.block('div', 'display');
    const waiting = box.prlHTML !== undefined; // it is cleaned once for all that came meanwhile
    Object.assign(box, { prlID: id, prlHTML: String(html) });
    if (!waiting) this.cleaning = this.cleaning.then(() => this.fill(box));
  }

  async fill(box) {
    const html = box.prlHTML;
    box.prlHTML = undefined;
    const clean = await this.engine.clean(html);
    box.innerHTML = clean;
  }

  // finish waits until all is shown, and hands the figures to their runtime.
  async finish(run) {
    await this.cleaning;
    if (!this.box) this.place();
    for (const img of this.box.querySelectorAll('img[data-prl-spec]')) await this.figure(img, run);
  }

  async figure(img, run) {
    img.addEventListener('load', () => {
      (window.prlQueue ??= []).push(img);
      if (window.PrlPlot) window.PrlPlot.drain();
    }, { once: true });
    await describe(img, run.cell, async () => {
      if (!this.source) await keep((this.source = `run ${++runs}`), run);
      return this.source;
    });
  }
}
