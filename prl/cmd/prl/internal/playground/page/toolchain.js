// Go's compiler and linker, and the maker of programs, over files in memory. What stands before these lines: lzma.js, shelf.js, files.js and
// Go's wasm_exec.js. Each step is done by a worker of its own, which ends: only so does the browser take back its memory at once.

// archives gives each entry of the list and its archive to put, one after the other. The bytes hold what lies outside of the blocks of object
// files, then all blocks of one kind after those of another, tables by columns; numbers that rise are their differences.
function archives(data, blocks, list, put) {
  const view = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length), all = view(data);
  const kinds = blocks.map(({ width, rises }) => ({ width, rises, size: 0, at: 0, row: 0, last: 0 })), header = 20 + 4 * blocks.length;
  let at = 0;
  const begins = list.map(({ size, objects }) => {
    const begin = at;
    let from = 0;
    for (const o of objects) {
      at += o + header - from;
      from = o + header;
      for (const [k, kind] of kinds.entries()) {
        const end = o + all.getUint32(at - 4 * (blocks.length - k), true);
        kind.size += end - from;
        from = end;
      }
    }
    at += size - from;
    return begin;
  });
  for (const kind of kinds) { kind.at = at; at += kind.size; }

  function fill(hole, kind) {
    const { width } = kind, rows = kind.size / width, words = view(hole);
    if (width === 1) {
      hole.set(data.subarray(kind.at + kind.row, kind.at + kind.row + hole.length));
      kind.row += hole.length;
      return;
    }
    for (let i = 0; i < hole.length; i += width, kind.row++) {
      for (let c = 0; c < width; c++) hole[i + c] = data[kind.at + c * rows + kind.row];
      if (kind.rises) words.setUint32(i, kind.last = (kind.last + words.getUint32(i, true)) >>> 0, true);
    }
  }
  for (const [i, p] of list.entries()) {
    const out = new Uint8Array(p.size);
    let from = 0, begin = begins[i];
    const outside = (to) => { out.set(data.subarray(begin, begin += to - from), from); from = to; };
    for (const o of p.objects) {
      outside(o + header);
      for (const [k, kind] of kinds.entries()) {
        const end = o + view(out).getUint32(o + 20 + 4 * k, true);
        fill(out.subarray(from, end), kind);
        from = end;
      }
    }
    outside(out.length);
    put(p, out);
  }
}

// unpacked is a part of a toolchain, which is LZMA in base64; its letters become its bytes.
function unpacked(letters) {
  const value = new Uint8Array(128), digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  for (let v = 0; v < 64; v++) value[digits.charCodeAt(v)] = v;
  let n = 0;
  for (let i = 0; i < letters.length; i += 4) {
    const bits = (value[letters[i]] << 18) | (value[letters[i + 1]] << 12) | (value[letters[i + 2]] << 6) | value[letters[i + 3]];
    letters[n++] = bits >> 16;
    letters[n++] = bits >> 8;
    letters[n++] = bits;
  }
  return expand(letters.subarray(0, n));
}

// place is where the archive of a package is.
const place = ({ path }) => `/pkg/${path.replaceAll('/', '_')}.a`;

// lazy is what the linker imports: hold, a place in its memory for a part of a file, of which only what stands before the relocations of an
// object is read now; and fill, which reads more of it. Most symbols of most packages are in no program.
const lazy = (disk) => (memory) => {
  const held = [], bytes = (at, n) => new Uint8Array(memory(), at, n);
  function fill(to, n) {
    const part = held.find((h) => to >= h.to && to < h.to + h.n);
    for (let from = part.at + to - part.to, end = from + n; from < end;) {
      const k = Math.floor(from / piece), begin = Math.max(k * piece, part.at), stop = Math.min((k + 1) * piece, part.at + part.n);
      if (!part.full[k]) part.file.read(begin, bytes(part.to + begin - part.at, stop - begin));
      part.full[k] = 1;
      from = stop;
    }
  }
  return {
    fill,
    hold(fd, to, n, at) {
      const file = disk.file(fd);
      held.push({ to, n, at, file, full: new Uint8Array(Math.ceil(file.size / piece)) });
    },
  };
};

// What a worker can do. The answer of a step has the buffers to transfer in give.
const steps = {
  // shelf puts the archives of packages, a part of a toolchain, on a shelf.
  shelf({ letters, blocks, list }) {
    const packer = new Packer();
    archives(unpacked(letters), blocks, list, (p, archive) => packer.put(place(p), archive));
    const shelf = packer.packed();
    return { shelf, give: [shelf.bytes.buffer] };
  },
  async module({ letters }) { return { module: await WebAssembly.compile(unpacked(letters)) }; },
  // tool runs the compiler or the linker over a shelf and given files, and answers with the file wanted, and with the shelf.
  async tool({ module, argv, GOGC, shelf, given, wanted }) {
    let said = '';
    const disk = files((fd, text) => { said += text; }), began = performance.now();
    lay(disk, shelf);
    for (const [path, data] of given) disk.put(path, data);
    const { code, memory } = await run(module, disk, argv, lazy(disk), GOGC), cost = { tool: argv[0], ms: performance.now() - began, memory };
    const made = code === 0 ? disk.take(wanted) : null;
    return { made, said, cost, shelf, give: [shelf.bytes.buffer, ...(made ? [made.buffer] : [])] };
  },
};

// serve has a worker do the step that it is told.
function serve() {
  globalThis.onmessage = async ({ data }) => {
    const { give = [], ...answer } = await Promise.resolve(data).then((d) => steps[d.step](d)).catch((err) => ({ broken: String(err) }));
    globalThis.postMessage(answer, give);
  };
}

// lay lays the archives of a shelf on a disk.
function lay(disk, packed) {
  const shelf = new Shelf(packed);
  for (const [path, file] of packed.files) disk.lend(path, { size: file.size, read: (at, into) => shelf.read(file, at, into) });
}

// kept is a file in few bytes, and taken is the file again.
function kept(data) {
  const packer = new Packer();
  packer.put('', data);
  return packer.packed();
}
function taken(packed) {
  const file = packed.files.get(''), data = new Uint8Array(file.size);
  new Shelf(packed).read(file, 0, data);
  return data;
}

// toolchain makes ready a toolchain as the script has it, with the letters of its parts as bytes, which it takes, and resolves to make. worker
// makes a worker of texts.
async function toolchain({ parts, blocks, list, run: first, tools }, worker) {
  const step = (name, question, give = []) => new Promise((done, fail) => {
    const w = worker(first, tools, 'serve();');
    w.onmessage = ({ data }) => { w.terminate(); if (data.broken) fail(new Error(data.broken)); else done(data); };
    w.onerror = (err) => { w.terminate(); fail(new Error(err.message)); };
    w.postMessage({ step: name, ...question }, give);
  });
  const utf8 = new TextEncoder(), made = new Map(), most = 3; // programs with their modules, packed
  const disk = files(() => {});
  const config = (some) => utf8.encode(some.map((p) => `packagefile ${p.path}=${place(p)}\n`).join(''));
  const imported = ['/cell/imported', config(list.filter((p) => p.imported))], packages = ['/cell/packages', config(list)];
  let { shelf } = await step('shelf', { letters: parts.packages, blocks, list }, [parts.packages.buffer]);
  const module = async (name) => (await step('module', { letters: parts[name] }, [parts[name].buffer])).module;
  const [compiler, linker, maker] = await Promise.all(['compile', 'link', 'maker'].map(module));
  disk.put(...imported);
  lay(disk, shelf);
  run(maker, disk, ['maker'], undefined, '50'); // it stays, for prlProgram and prlTold

  // tool runs the compiler or the linker, and resolves to {made}, or to {wrong}.
  async function tool(module, argv, GOGC, given, wanted, costs) {
    const { made, said, cost, shelf: back } = await step('tool', { module, argv, GOGC, shelf, given, wanted }, [shelf.bytes.buffer]);
    shelf = back;
    lay(disk, shelf);
    costs.push(cost);
    return made ? { made } : { wrong: said };
  }
  const compile = (program, costs) => tool(compiler, ['compile', '-o', '/cell/main.a', '-p', 'main', '-complete', '-dwarf=false', '-pack', '-c=1',
    '-importcfg', '/cell/imported', '/cell/main.go'], '200', [imported, ['/cell/main.go', utf8.encode(program)]], '/cell/main.a', costs);
  const link = (object, costs) => tool(linker, ['link', '-s', '-w', '-buildid=', '-importcfg', '/cell/packages', '-o', '/cell/main.wasm',
    '/cell/main.a'], '10', [packages, ['/cell/main.a', object]], '/cell/main.wasm', costs);

  // make compiles and links the program of a cell, given all cells as [{ID, Text}], and resolves to {module, cost}, or to a fault in the words
  // of the notebook. cost has the milliseconds and the bytes of memory of each step; it is empty for one of the last programs made.
  return async function make(cells, id) {
    const text = JSON.stringify(cells), cost = [];
    let step, first;
    for (const value of [true, false]) { // the value of a last expression, unless it is a function without a result
      const { program, fault } = prlProgram(text, id, value);
      if (fault) return { fault };
      first ??= program;
      if (made.has(first)) return { module: taken(made.get(first)), cost };
      step = await compile(program, cost);
      if (!step.wrong?.includes('(no value) used as value')) break;
    }
    if (step.made) step = await link(step.made, cost);
    if (step.wrong) return { fault: prlTold(step.wrong) };
    made.set(first, kept(step.made));
    if (made.size > most) made.delete(made.keys().next().value);
    return { module: step.made, cost };
  };
}
