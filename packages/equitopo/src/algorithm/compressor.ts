/**
 * The messages of CHOCO-SGD. Every Q here is a contraction, ||Q(v) - v||^2 <= (1 - delta) ||v||^2 with delta > 0, which is
 * all that its error feedback needs. Q(v) = decode(encode(v)): the bytes counted are the bytes sent, and a sender decodes its
 * own packet, so that all nodes hold the same bits.
 *
 * - top-k:    the k numbers of largest size; of equal ones the first. k (index and number). delta >= k/d.
 * - random-k: k coordinates drawn at random; the receiver draws the same ones, so no index is sent. delta = k/d in mean.
 * - quantise: b bits per number, the nearest of 2^b - 1 levels between -max|v| and max|v|, and max|v| itself. That one is
 *   exact, and no number's error exceeds the number. delta >= 1/d.
 */

import { multiplyHigh } from "../random/philox.ts";
import type { Rows } from "../round/round.ts";

/** Rows into packets of one size, and back. */
export interface Codec {
  /** Random words that a row takes; sender and receiver draw the same. */
  readonly words: number;
  /** Bytes of a packet for a row whose numbers have `size` bytes. */
  bytes(size: number): number;
  /** Writes the row's packet; `packet` has bytes(size) bytes. */
  encode(row: Rows, words: Uint32Array, packet: Uint8Array): void;
  /** Overwrites the row with what the packet says. */
  decode(packet: Uint8Array, words: Uint32Array, row: Rows): void;
}

export interface Compressor extends Codec {
  /** row <- Q(row), with its own words. */
  compress(row: Rows, words: Uint32Array): void;
}

/** A codec with Q = decode after encode beside it. */
function compressor(codec: Codec): Compressor {
  return {
    ...codec,
    compress(row, words) {
      const packet = new Uint8Array(codec.bytes(row.BYTES_PER_ELEMENT));
      codec.encode(row, words, packet);
      codec.decode(packet, words, row);
    },
  };
}

const INDEX_BYTES = 4;

/**
 * Keeps the k largest of d. O(d log d).
 *
 * @example
 * ```ts
 * import { topK } from "equitopo/algorithm";
 * const v = Float64Array.of(3, -5, 1);
 * topK(3, 1).compress(v, new Uint32Array(0));
 * v.join(" ") // => "0 -5 0"
 * topK(3, 1).bytes(8) // => 12
 * ```
 */
export function topK(d: number, k: number): Compressor {
  const sizes = new Float64Array(d);
  return compressor({
    words: 0,
    bytes: (size) => k * (INDEX_BYTES + size),
    encode(row, _words, packet) {
      for (let j = 0; j < d; j++) sizes[j] = Math.abs(row[j]);
      sizes.sort();
      const least = sizes[d - k];
      let ties = k;
      for (let j = d - k; j < d; j++) if (sizes[j] > least) ties--;
      const view = numbersOf(packet, row);
      for (let j = 0, at = 0; j < d && at < packet.length; j++) {
        const size = Math.abs(row[j]);
        if (size < least || (size === least && ties-- <= 0)) continue;
        view.index(at, j);
        view.write(at + INDEX_BYTES, row[j]);
        at += INDEX_BYTES + row.BYTES_PER_ELEMENT;
      }
    },
    decode(packet, _words, row) {
      const view = numbersOf(packet, row);
      row.fill(0);
      for (let at = 0; at < packet.length; at += INDEX_BYTES + row.BYTES_PER_ELEMENT) {
        // A packet from a stranger may name any index; one out of range is ignored.
        const index = view.indexAt(at);
        if (index < d) row[index] = view.read(at + INDEX_BYTES);
      }
    },
  });
}

/** Keeps k of d at random: the first k of a shuffle. O(d). */
export function randomK(d: number, k: number): Compressor {
  const order = new Int32Array(d);
  const shuffle = (words: Uint32Array) => {
    for (let j = 0; j < d; j++) order[j] = j;
    for (let j = 0; j < k; j++) {
      // The probabilities are off by less than d / 2^32, but each row always takes k words.
      const other = j + multiplyHigh(words[j], d - j);
      const held = order[j];
      order[j] = order[other];
      order[other] = held;
    }
  };
  return compressor({
    words: k,
    bytes: (size) => k * size,
    encode(row, words, packet) {
      shuffle(words);
      const view = numbersOf(packet, row);
      for (let j = 0; j < k; j++) view.write(j * row.BYTES_PER_ELEMENT, row[order[j]]);
    },
    decode(packet, words, row) {
      shuffle(words);
      const view = numbersOf(packet, row);
      row.fill(0);
      for (let j = 0; j < k; j++) row[order[j]] = view.read(j * row.BYTES_PER_ELEMENT);
    },
  });
}

/** Rounds to b >= 2 bits. Rounding to the nearest level never grows a number's error beyond the number. O(d). */
export function quantise(d: number, b: number): Compressor {
  const levels = 2 ** (b - 1) - 1;
  // A unit whose square is 0 would lose digits in the division, so such numbers are sent as 0.
  const unitOf = (largest: number) => (largest / levels < 1e-200 ? 0 : largest / levels);
  return compressor({
    words: 0,
    bytes: (size) => size + Math.ceil((b * d) / 8),
    encode(row, _words, packet) {
      let largest = 0;
      for (let j = 0; j < d; j++) largest = Math.max(largest, Math.abs(row[j]));
      const unit = unitOf(largest);
      numbersOf(packet, row).write(0, largest);
      let at = row.BYTES_PER_ELEMENT;
      // Levels -levels .. levels as 0 .. 2 levels, b bits each, the lowest bits first.
      for (let j = 0, held = 0, bits = 0; j < d; j++) {
        held |= (unit === 0 ? levels : Math.round(row[j] / unit) + levels) << bits;
        for (bits += b; bits >= 8 || (j === d - 1 && bits > 0); bits -= 8) {
          packet[at++] = held & 255;
          held >>>= 8;
        }
      }
    },
    decode(packet, _words, row) {
      const unit = unitOf(numbersOf(packet, row).read(0));
      const mask = 2 ** b - 1;
      for (let j = 0, at = row.BYTES_PER_ELEMENT, held = 0, bits = 0; j < d; j++) {
        for (; bits < b; bits += 8) held |= packet[at++] << bits;
        row[j] = unit * ((held & mask) - levels);
        held >>>= b;
        bits -= b;
      }
    },
  });
}

/** Rows in blocks of `size` numbers, each by a codec of its own that draws no words: small numbers are not rounded like large ones. */
export function inBlocks(d: number, size: number, codecOf: (d: number) => Compressor): Compressor {
  const whole = codecOf(size);
  const last = codecOf(d % size);
  const count = Math.floor(d / size);
  const bytes = (numberSize: number) => count * whole.bytes(numberSize) + (d % size === 0 ? 0 : last.bytes(numberSize));
  const each = (row: Rows, packet: Uint8Array, work: (codec: Codec, row: Rows, packet: Uint8Array) => void) => {
    const step = whole.bytes(row.BYTES_PER_ELEMENT);
    for (let b = 0; b < count; b++) {
      work(whole, row.subarray(b * size, (b + 1) * size), packet.subarray(b * step, (b + 1) * step));
    }
    if (count * size < d) work(last, row.subarray(count * size), packet.subarray(count * step));
  };
  return compressor({
    ...{ words: 0, bytes },
    encode: (row, words, packet) => each(row, packet, (codec, part, into) => codec.encode(part, words, into)),
    decode: (packet, words, row) => each(row, packet, (codec, part, from) => codec.decode(from, words, part)),
  });
}

/** Access to a packet's numbers, of the row's type, little-endian on every machine. */
function numbersOf(packet: Uint8Array, row: Rows) {
  const view = new DataView(packet.buffer, packet.byteOffset, packet.byteLength);
  const single = row instanceof Float32Array;
  return {
    index: (at: number, value: number) => view.setUint32(at, value, true),
    indexAt: (at: number) => view.getUint32(at, true),
    write: (at: number, value: number) =>
      single ? view.setFloat32(at, value, true) : view.setFloat64(at, value, true),
    read: (at: number) => (single ? view.getFloat32(at, true) : view.getFloat64(at, true)),
  };
}
