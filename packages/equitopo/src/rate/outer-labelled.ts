/**
 * A rule of local steps over blocks of rounds that get fresh labels together (labelled.ts). At the start of a block the
 * labels are new, so the second moments of what a node keeps (k vectors) and of what is on its way (k more, within an outer
 * step) are one number for every two of these; a block makes a matrix of (2k)^2 x (2k)^2 numbers of them, all traces of the
 * block's own rounds. Outer steps and blocks need not end together: their least common multiple is gone through.
 */

import { centre, dot } from "../number/vectors.ts";
import { identity, solved, times, timesVector } from "./dense.ts";
import { spectralRadius } from "./eigenvalues.ts";
import { forEachColumns } from "./labels.ts";
import type { OuterModel } from "./outer-model.ts";
import { combined, through } from "./recursion.ts";
import type { RoundSequence } from "./sequence.ts";

/** The largest n where rounds are not circulant: a few seconds. */
const MOST_NODES = 512;

/** Second moments after a block are `square` p + `put`; the model's at the starts of outer steps within it, `of` . p + `put`. */
interface BlockMap {
  readonly square: Float64Array;
  readonly put: Float64Array;
  readonly starts: { readonly of: Float64Array; put: number }[];
}

/** The factor of an outer step, and the mean square that disagreement settles at; undefined where n is too large. */
export function labelledOuter(topology: RoundSequence, model: OuterModel) {
  const block = topology.block!;
  const maps: BlockMap[] = [];
  for (let first = 0; first === 0 || first % model.rounds !== 0; first += block) {
    const map = blockMap(topology, model, first);
    if (map === undefined) return undefined;
    maps.push(map);
  }
  const size = (2 * model.vectors) ** 2;
  let product = identity(size);
  let put: Float64Array = new Float64Array(size);
  for (const map of maps) {
    product = times(map.square, product, size);
    put = combined([1, 1], [timesVector(map.square, put), map.put]);
  }
  const steps = maps.reduce((sum, { starts }) => sum + starts.length, 0);
  const factor = spectralRadius(product, size) ** (1 / (2 * steps));
  const rest = identity(size).map((entry, at) => entry - product[at]);
  let settled: Float64Array | undefined = factor < 1 ? solved(rest, put, size, 1) : undefined;
  if (settled === undefined) return { factor, square: Infinity };
  let square = 0;
  for (const map of maps) {
    for (const start of map.starts) square += (dot(start.of, settled) + start.put) / steps;
    settled = combined([1, 1], [timesVector(map.square, settled), map.put]);
  }
  return { factor, square };
}

/** The block whose first round is number `first` since an outer step began with a block. */
function blockMap(topology: RoundSequence, model: OuterModel, first: number): BlockMap | undefined {
  const { n } = topology;
  const { vectors: k, stay, mix, drift } = model;
  const rounds = Array.from({ length: topology.block! }, (_, t) => topology.labelled!.round(t));
  const kinds = 2 * k;
  const begins = rounds.map((_, t) => (first + t) % model.rounds === 0);
  const map: BlockMap = {
    square: new Float64Array(kinds ** 4),
    put: new Float64Array(kinds ** 2),
    starts: begins.filter(Boolean).map(() => ({ of: new Float64Array(kinds ** 2), put: 0 })),
  };
  const isDone = forEachColumns(rounds, MOST_NODES, (start, count) => {
    const weight = count / (n - 1);
    const width = start.length / n;
    const nothing = new Float64Array(start.length);
    /** From before round t on: all vectors at the end, the models at the starts of outer steps on the way. */
    const follow = (from: number, before: readonly Float64Array[], put?: Float64Array) => {
      let [kept, sent] = [before.slice(0, k), before.slice(k)];
      const models: Float64Array[] = [];
      for (let t = from; t < rounds.length; t++) {
        if (begins[t]) {
          const state = kept.map((x, a) => combined([1, 1], [x, sent[a]]));
          const d = t === from && put !== undefined ? put : nothing;
          models.push(state[0]);
          const made = (matrix: readonly number[], column: readonly number[]) =>
            state.map((_, a) => combined([...matrix.slice(k * a, k * (a + 1)), column[a]], [...state, d]));
          [kept, sent] = [made(stay, drift.stay), made(mix, drift.mix)];
        }
        sent = sent.map((x) => {
          const image = through([rounds[t]], x).slice();
          centre(image, width);
          return image;
        });
      }
      return { models, ends: [...kept, ...sent] };
    };
    const rest = new Array<Float64Array>(kinds).fill(nothing);
    const one = Array.from({ length: kinds }, (_, c) => follow(0, rest.with(c, start)));
    for (let at = 0; at < map.square.length; at++) {
      const [a, b, c, d] = [3, 2, 1, 0].map((digit) => Math.floor(at / kinds ** digit) % kinds);
      map.square[at] += weight * dot(one[c].ends[a], one[d].ends[b]);
    }
    for (const [place, { of }] of map.starts.entries()) {
      for (let c = 0; c < kinds; c++) {
        for (let d = 0; d < kinds; d++) of[c * kinds + d] += weight * dot(one[c].models[place], one[d].models[place]);
      }
    }
    let passed = 0;
    for (let t = 0; t < rounds.length; t++) {
      if (!begins[t]) continue;
      const { models, ends } = follow(t, rest, start);
      for (let a = 0; a < kinds; a++) {
        for (let b = 0; b < kinds; b++) map.put[a * kinds + b] += weight * dot(ends[a], ends[b]);
      }
      models.forEach((x, later) => {
        map.starts[passed + later].put += weight * dot(x, x);
      });
      passed++;
    }
  });
  return isDone ? map : undefined;
}
