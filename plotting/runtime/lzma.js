// LZMA, the format of I. Pavlov's LZMA SDK (lzma-specification.txt): a header of 13 bytes, which ends with the length of what is packed, then
// the bytes of a range coder. A program packed so is a third shorter than as gzip, which browsers unpack themselves.

// expand unpacks. The text of this function goes to a worker, so it uses nothing that stands outside.
export function expand(data) {
  if (data.length < 18 || data[0] > 224 || data[13] !== 0) throw new Error('this is no LZMA');
  const lc = data[0] % 9, lp = Math.floor(data[0] / 9) % 5, pb = Math.floor(data[0] / 45);
  // Where the probabilities stand: of matches, repeated distances, parts of distances, lengths, bytes.
  const match = 0, repeat = 192, nearest = 204, second = 216, third = 228, single = 240, slots = 432, near = 688, align = 803, fresh = 819, again = 1333, bytes = 1847;
  const p = new Uint16Array(bytes + (768 << (lc + lp))).fill(1024), out = new Uint8Array(data[5] + 256 * (data[6] + 256 * (data[7] + 256 * data[8])));
  const s = new Uint32Array([0xffffffff, 0]); // the range and the code: what they are outside of walk
  let at = 14;
  while (at < 18) s[1] = (s[1] << 8) | data[at++];

  // walk reads bits down a tree of probabilities, from the node m until the node is not before end.
  function walk(from, m, end) {
    let range = s[0], code = s[1], k = at;
    while (m < end) {
      const i = from + m, q = p[i], bound = Math.imul(range >>> 11, q) >>> 0;
      if (code < bound) {
        range = bound;
        p[i] = q + ((2048 - q) >> 5);
        m <<= 1;
      } else {
        range = (range - bound) >>> 0;
        code = (code - bound) >>> 0;
        p[i] = q - (q >> 5);
        m = (m << 1) | 1;
      }
      if (range < 0x1000000) {
        range = (range << 8) >>> 0;
        code = ((code << 8) | data[k++]) >>> 0;
      }
    }
    s[0] = range; s[1] = code; at = k;
    return m;
  }
  const bit = (i) => walk(i - 1, 1, 2) & 1;
  const tree = (from, size) => walk(from, 1, size) - size;
  function reversed(from, bits) { // the lowest bit first
    let m = 1, v = 0;
    for (let k = 0; k < bits; k++) {
      m = walk(from, m, 2 * m);
      v |= (m & 1) << k;
    }
    return v;
  }
  function even(bits) { // bits without probabilities
    let v = 0;
    for (; bits > 0; bits--) {
      s[0] >>>= 1;
      const b = s[1] < s[0] ? 0 : 1;
      if (b) s[1] -= s[0];
      v = 2 * v + b;
      if (s[0] < 0x1000000) { s[0] <<= 8; s[1] = (s[1] << 8) | data[at++]; }
    }
    return v;
  }
  function length(from, place) {
    if (!bit(from)) return 2 + tree(from + 2 + 8 * place, 8);
    if (!bit(from + 1)) return 10 + tree(from + 130 + 8 * place, 8);
    return 18 + tree(from + 258, 256);
  }

  let state = 0, n = 0, a = 0, b = 0, c = 0, d = 0; // a to d: the last four distances, less 1
  while (n < out.length) {
    if (at > data.length) throw new Error('the end of the LZMA is missing');
    const place = n & ((1 << pb) - 1);
    if (!bit(match + 16 * state + place)) { // one byte
      const from = bytes + 768 * (((n & ((1 << lp) - 1)) << lc) + ((n ? out[n - 1] : 0) >> (8 - lc)));
      let m = 1;
      if (state > 6) {
        for (let like = out[n - a - 1] << 1; m < 256; like <<= 1) {
          const was = like & 256;
          m = walk(from + 256 + was, m, 2 * m);
          if ((m & 1) !== was >> 8) break;
        }
      }
      out[n++] = walk(from, m, 256);
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let run = 0;
    if (bit(repeat + state)) {
      const was = a;
      if (bit(nearest + state)) {
        if (!bit(second + state)) a = b;
        else {
          if (!bit(third + state)) a = c;
          else { a = d; d = c; }
          c = b;
        }
        b = was;
      } else if (!bit(single + 16 * state + place)) run = 1;
      state = run ? (state < 7 ? 9 : 11) : state < 7 ? 8 : 11;
      run = run || length(again, place);
    } else {
      run = length(fresh, place);
      d = c; c = b; b = a;
      const slot = tree(slots + 64 * Math.min(run - 2, 3), 64), low = (slot >> 1) - 1;
      a = slot;
      if (slot > 13) { a = ((2 | (slot & 1)) * 2 ** (low - 4) + even(low - 4)) * 16; a += reversed(align, 4); }
      else if (slot > 3) { a = (2 | (slot & 1)) << low; a += reversed(near + a - slot, low); }
      state = state < 7 ? 7 : 10;
    }
    if (a >= n) throw new Error('damaged');
    for (run = Math.min(run, out.length - n); run > 0; run--, n++) out[n] = out[n - a - 1];
  }
  return out;
}
