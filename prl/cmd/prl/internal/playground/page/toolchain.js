// Go's compiler and linker, and the maker of programs, over files in memory. What stands before these lines: lzma.js, files.js and Go's
// wasm_exec.js.

// archives gives each entry of the list and its archive to put. The bytes hold what lies outside of the blocks of object files, then all blocks of
// one kind after those of another, tables by columns; numbers that rise are their differences.
function archives(data, blocks, list, put) {
  const view = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const out = list.map((p) => new Uint8Array(p.size)), holes = blocks.map(() => []);
  let at = 0;
  const fill = (into, from, to) => { into.set(data.subarray(at, at + to - from), from); at += to - from; };
  for (const [i, { objects }] of list.entries()) {
    let from = 0;
    for (const o of objects) {
      const header = o + 20 + 4 * blocks.length;
      fill(out[i], from, header);
      from = header;
      for (const [k, hole] of holes.entries()) {
        const end = o + view(out[i]).getUint32(o + 20 + 4 * k, true);
        hole.push(out[i].subarray(from, end));
        from = end;
      }
    }
    fill(out[i], from, out[i].length);
  }
  for (const [k, { width, rises }] of blocks.entries()) {
    const n = holes[k].reduce((sum, hole) => sum + hole.length, 0) / width;
    let row = 0, last = 0;
    for (const hole of holes[k]) {
      if (width === 1) { fill(hole, 0, hole.length); continue; }
      const words = view(hole);
      for (let i = 0; i < hole.length; i += width, row++) {
        for (let c = 0; c < width; c++) hole[i + c] = data[at + c * n + row];
        if (rises) words.setUint32(i, last = (last + words.getUint32(i, true)) >>> 0, true);
      }
    }
    if (width > 1) at += n * width;
  }
  for (const [i, p] of list.entries()) put(p, out[i]);
}

// toolchain unpacks the parts of a toolchain, {compile, link, maker, packages} in base64 (see archives for the last), and resolves to make.
async function toolchain({ parts, blocks, list }) {
  function unpacked(name) {
    const letters = atob(parts[name]), bytes = new Uint8Array(letters.length);
    delete parts[name]; // its letters would stay as long as make
    for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
    return expand(bytes);
  }
  const utf8 = new TextEncoder(), made = new Map(), kept = 3; // programs with their modules
  let said = '';
  const disk = files((fd, text) => { said += text; });
  const file = ({ path }) => `/pkg/${path.replaceAll('/', '_')}.a`, config = (some) => utf8.encode(some.map((p) => `packagefile ${p.path}=${file(p)}\n`).join(''));
  archives(unpacked('packages'), blocks, list, (p, archive) => disk.put(file(p), archive));
  disk.put('/cell/imported', config(list.filter((p) => p.imported)));
  disk.put('/cell/packages', config(list));
  const compiler = await WebAssembly.compile(unpacked('compile')), linker = await WebAssembly.compile(unpacked('link'));
  run(await WebAssembly.compile(unpacked('maker')), disk, ['maker']); // it stays, for prlProgram and prlTold

  // tool runs the compiler or the linker, and resolves to what is wrong, or nothing.
  async function tool(module, args, cost) {
    said = '';
    const began = performance.now(), { code, memory } = await run(module, disk, args);
    cost.push({ tool: args[0], ms: performance.now() - began, memory });
    return code === 0 ? '' : said;
  }
  const compile = (cost) => tool(compiler, ['compile', '-o', '/cell/main.a', '-p', 'main', '-complete', '-dwarf=false', '-pack', '-c=1', '-importcfg', '/cell/imported', '/cell/main.go'], cost);
  const link = (cost) => tool(linker, ['link', '-s', '-w', '-buildid=', '-importcfg', '/cell/packages', '-o', '/cell/main.wasm', '/cell/main.a'], cost);

  // make compiles and links the program of a cell, given all cells as [{ID, Text}], and resolves to {module, cost}, or to a fault in the words
  // of the notebook. cost has the milliseconds and the bytes of memory of each step; it is empty for one of the last programs made.
  return async function make(cells, id) {
    const text = JSON.stringify(cells), cost = [];
    let wrong, first;
    for (const value of [true, false]) { // the value of a last expression, unless it is a function without a result
      const { program, fault } = prlProgram(text, id, value);
      if (fault) return { fault };
      first ??= program;
      if (made.has(first)) return { module: made.get(first), cost };
      disk.put('/cell/main.go', utf8.encode(program));
      wrong = await compile(cost);
      if (!wrong.includes('(no value) used as value')) break;
    }
    wrong ||= await link(cost);
    if (wrong) return { fault: prlTold(wrong) };
    const module = disk.get('/cell/main.wasm');
    made.set(first, module);
    if (made.size > kept) made.delete(made.keys().next().value);
    return { module, cost };
  };
}
