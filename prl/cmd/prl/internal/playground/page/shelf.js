// Archives in memory, packed in pieces, each of which is unpacked alone: an archive is read at any place without the whole of it. A piece is
// a block of LZ4, the format of Y. Collet (lz4_Block_format.md), since that is packed and unpacked in little time.

const piece = 1 << 13;

// Packer makes what Shelf reads.
class Packer {
  pieces = [];
  ends = []; // of the pieces, behind one another
  files = new Map(); // path -> {size, first}, the number of its first piece
  seen = new Int32Array(1 << 13); // where four bytes with a hash stood last
  out = new Uint8Array(piece + (piece >> 7) + 16); // a piece that does not become shorter

  put(path, data) {
    this.files.set(path, { size: data.length, first: this.ends.length });
    for (let at = 0; at < data.length; at += piece) {
      const packed = this.out.slice(0, this.pack(data.subarray(at, at + piece)));
      this.pieces.push(packed);
      this.ends.push((this.ends.at(-1) ?? 0) + packed.length);
    }
  }

  // pack packs a piece into out and returns its length there. The last bytes of a block stand for themselves.
  pack(data) {
    const { out, seen } = this, words = new DataView(data.buffer, data.byteOffset, data.length), last = data.length - 12;
    let n = 0, from = 0, i = 0;
    const long = (rest) => { for (; rest >= 255; rest -= 255) out[n++] = 255; out[n++] = rest; };
    const write = (to, run) => {
      const size = to - from;
      out[n++] = (Math.min(size, 15) << 4) | Math.min(Math.max(run - 4, 0), 15);
      if (size >= 15) long(size - 15);
      for (; from < to; from++) out[n++] = data[from];
    };
    while (i < last) {
      const word = words.getUint32(i, true), hash = Math.imul(word, 0x9e3779b1) >>> 19, like = seen[hash];
      seen[hash] = i;
      if (like >= i || words.getUint32(like, true) !== word) { i += 1 + ((i - from) >> 6); continue; }
      let run = 4;
      while (i + run < data.length - 5 && data[like + run] === data[i + run]) run++;
      write(i, run);
      out[n++] = i - like;
      out[n++] = (i - like) >> 8;
      if (run >= 19) long(run - 19);
      from = i += run;
    }
    write(data.length, 0);
    return n;
  }

  // packed is all of it, for a Shelf here or in another worker, with what can be transferred there.
  packed() {
    const bytes = new Uint8Array(this.ends.at(-1));
    for (const [k, p] of this.pieces.entries()) bytes.set(p, k && this.ends[k - 1]);
    return { bytes, ends: this.ends, files: this.files };
  }
}

class Shelf {
  rest = new Uint8Array(piece); // a piece of which only a part is read
  constructor(packed) { Object.assign(this, packed); }

  // read reads an archive from a place on, which it has as far as into is long.
  read({ size, first }, at, into) {
    const to = at + into.length;
    for (let from = at - (at % piece); from < to; from += piece) {
      const end = Math.min(from + piece, size), whole = from >= at && end <= to;
      const out = whole ? into.subarray(from - at, end - at) : this.rest;
      this.unpack(first + from / piece, out);
      if (!whole) into.set(out.subarray(Math.max(at - from, 0), Math.min(to, end) - from), Math.max(from - at, 0));
    }
  }

  unpack(k, out) {
    const { bytes, ends } = this, end = ends[k];
    let at = k && ends[k - 1], n = 0;
    const long = (size) => {
      if (size < 15) return size;
      let more;
      do size += more = bytes[at++]; while (more === 255);
      return size;
    };
    while (at < end) {
      const token = bytes[at++], size = long(token >> 4);
      for (const to = n + size; n < to;) out[n++] = bytes[at++];
      if (at >= end) return;
      const back = bytes[at++] | (bytes[at++] << 8), to = n + 4;
      for (const stop = to + long(token & 15); n < stop; n++) out[n] = out[n - back];
    }
  }
}
