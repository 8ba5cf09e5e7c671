// Files in memory, behind the calls of Node's fs that Go's package syscall makes in a page: what the compiler, the linker and the program of a
// cell need of a disk. What has no function here fails as a system does that lacks it. A program's print is given what it writes.

const flags = { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536, O_SYNC: 1052672 };

// files makes an empty disk. print is called with the number of an output, 1 or 2, and the text written to it.
function files(print) {
  const all = new Map(), folders = new Set(['/', '/tmp', '/pkg', '/cell']), opened = new Map(), decoders = { 1: new TextDecoder(), 2: new TextDecoder() };
  let next = 10;
  const fail = (code) => Object.assign(new Error(code), { code });
  const clean = (path) => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path);
  const about = (file, folder) => ({
    dev: 0, ino: 0, mode: folder ? 0o40755 : 0o100644, nlink: 1, uid: 0, gid: 0, rdev: 0, size: file ? file.size : 0, blksize: 4096, blocks: 0,
    atimeMs: 0, mtimeMs: 0, ctimeMs: 0, isDirectory: () => folder,
  });
  const plain = (data, size) => ({ data, size, read(at, into) { into.set(this.data.subarray(at, at + into.length)); } });
  function resize(file, size) {
    if (size > file.data.length) {
      const data = new Uint8Array(Math.max(size, 2 * file.data.length));
      data.set(file.data.subarray(0, file.size));
      file.data = data;
    }
    file.size = size;
  }
  const calls = {
    constants: flags,
    writeSync(fd, bytes) {
      print(fd, decoders[fd].decode(bytes, { stream: true }));
      return bytes.length;
    },
    open(path, how, mode, then) {
      path = clean(path);
      const folder = folders.has(path);
      if (!all.has(path) && !folder) {
        if (!(how & flags.O_CREAT)) return then(fail('ENOENT'));
        all.set(path, plain(new Uint8Array(4096), 0));
      }
      const file = all.get(path);
      if (file && how & flags.O_TRUNC) file.size = 0;
      opened.set(next, { file, folder, at: 0 });
      then(null, next++);
    },
    close(fd, then) { opened.delete(fd); then(null); },
    fstat(fd, then) { const o = opened.get(fd); then(null, about(o && o.file, Boolean(o && o.folder))); },
    stat(path, then) {
      path = clean(path);
      if (all.has(path) || folders.has(path)) then(null, about(all.get(path), folders.has(path)));
      else then(fail('ENOENT'));
    },
    lstat(path, then) { calls.stat(path, then); },
    read(fd, into, offset, length, position, then) {
      const o = opened.get(fd);
      if (!o || !o.file) return then(null, 0); // there is no keyboard
      const at = position ?? o.at, n = Math.max(0, Math.min(length, o.file.size - at));
      o.file.read(at, into.subarray(offset, offset + n));
      if (position === null) o.at += n;
      then(null, n);
    },
    write(fd, from, offset, length, position, then) {
      const o = opened.get(fd), bytes = from.subarray(offset, offset + length);
      if (!o) return then(null, calls.writeSync(fd, bytes));
      const at = position ?? o.at;
      if (at === 0 && length >= o.file.size) Object.assign(o.file, plain(bytes, length)); // Go has copied them for this call
      else {
        resize(o.file, Math.max(o.file.size, at + length));
        o.file.data.set(bytes, at);
      }
      if (position === null) o.at += length;
      then(null, length);
    },
    ftruncate(fd, size, then) { resize(opened.get(fd).file, size); then(null); },
    unlink(path, then) { then(all.delete(path) ? null : fail('ENOENT')); },
    mkdir(path, mode, then) { folders.add(clean(path)); then(null); },
    chmod(path, mode, then) { then(null); },
    fchmod(fd, mode, then) { then(null); },
    fsync(fd, then) { then(null); },
  };
  return {
    put(path, data) { all.set(path, plain(data, data.length)); },
    lend(path, file) { all.set(path, file); },
    take(path) { const { data, size } = all.get(path); return size < data.length ? data.slice(0, size) : data; }, // its owner's from now on
    file(fd) { return opened.get(fd).file; },
    fs: new Proxy(calls, { get: (has, name) => has[name] ?? ((...given) => given.at(-1)(fail('ENOSYS'))) }),
  };
}

// run runs a program of Go on a disk, and resolves to its exit status and the bytes of its memory. more are its imports over that memory, and
// GOGC is how much garbage it may have, in hundredths of what it needs: memory of WebAssembly never shrinks.
async function run(module, disk, argv, more = () => {}, GOGC = '200') {
  globalThis.fs = disk.fs;
  const go = new Go();
  let code = 0;
  Object.assign(go, { argv, env: { GOOS: 'js', GOARCH: 'wasm', GOROOT: '/go', HOME: '/', TMPDIR: '/tmp', GOGC }, exit: (c) => { code = c; } });
  const prl = more(() => instance.exports.mem.buffer), instance = await WebAssembly.instantiate(module, { ...go.importObject, prl });
  await go.run(instance);
  return { code, memory: instance.exports.mem.buffer.byteLength };
}

const none = () => -1;
globalThis.process = { getuid: none, getgid: none, geteuid: none, getegid: none, getgroups: () => [], pid: 1, ppid: 1, umask: () => 0o22, cwd: () => '/cell', chdir() {} };
