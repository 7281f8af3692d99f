/**
 * The world that an algorithm runs in: rows first .. first + count - 1 of the network, with a problem's gradients at them.
 * The simulator makes a world of all n rows, a peer one of its own row; what row i sees is the same in both.
 */

import type { Problem } from "../problem/problem.ts";
import { block } from "../random/philox.ts";
import { streams } from "../random/stream.ts";
import type { Rows } from "../round/round.ts";
import type { Topology } from "../topology/topology.ts";
import type { World } from "./algorithm.ts";
import * as passes from "./rows.ts";
import type { Schedule } from "./schedule.ts";

export interface WorldOptions {
  readonly topology: Topology;
  readonly problem: Problem;
  readonly learningRate: Schedule;
  readonly seed: number;
  /** Makes zeroed rows of a width, `count` of them, in the memory of the world's owner. */
  readonly rows: (width: number) => Rows;
  readonly first?: number;
  readonly count?: number;
  /** World.begins. */
  readonly begins?: boolean;
}

/** Rows first .. first + count - 1 (all, by default) of a network that works on a problem. */
export function createWorld(options: WorldOptions): World {
  const { topology, problem, learningRate, seed, rows, first = 0, count = problem.n, begins = false } = options;
  const { n, d, start } = problem;
  const x0 = rows(d);
  if (start !== undefined) for (let i = 0; i < count; i++) x0.set(start, i * d);
  return {
    count,
    n,
    d,
    topology,
    begins,
    x0,
    rows: (width = d) => rows(width),
    passes,
    matrices: { d, ranges: problem.matrices ?? [] },
    gradient: (x, t, out) => problem.gradient(x, t, out, first, count),
    learningRate,
    words: (t, out) => fillWords(out, seed, t, (first * out.length) / count),
    encode(codec, t, x) {
      const width = x.length / count;
      const size = codec.bytes(x.BYTES_PER_ELEMENT);
      const bytes = new Uint8Array(count * size);
      const words = new Uint32Array(codec.words);
      const draw = (node: number) => fillWords(words, seed, t, node * words.length);
      const decode = (packet: Uint8Array, node: number, row: Rows) => {
        draw(node);
        codec.decode(packet, words, row);
      };
      for (let i = 0; i < count; i++) {
        const row = x.subarray(i * width, (i + 1) * width);
        const packet = bytes.subarray(i * size, (i + 1) * size);
        draw(first + i);
        codec.encode(row, words, packet);
        decode(packet, first + i, row);
      }
      return { bytes, decode };
    },
  };
}

/** Words offset, offset + 1, ... of the algorithms' stream in iteration t. */
function fillWords(out: Uint32Array, seed: number, t: number, offset: number): void {
  const four = new Uint32Array(4);
  for (let k = 0; k < out.length; k++) {
    const lane = (offset + k) % 4;
    if (lane === 0 || k === 0) block(seed, streams.algorithm, t, Math.floor((offset + k) / 4), four);
    out[k] = four[lane];
  }
}
