/** What the page is shown of models: the library's numbers, and lines and regions of the plane. */

import { classification, prepareClassification } from "@equitopo/nn";
import { meanRow, type Rows, squaredDistance } from "equitopo/round";
import { coarse, type Grid, gridPoints, surface, zeroLine } from "./contour.ts";
import type { Learnt, Scene } from "./frame.ts";
import { PlaneScores } from "./scores.ts";
import { POINTS, type Task } from "./task.ts";
import { optionsOf } from "./training.ts";
import { evaluator } from "./worth.ts";

/** All nodes' models after some updates, and what was recorded on the way. */
export interface Models {
  readonly x: Rows;
  readonly updates: number;
  /** After every update from 0 on. */
  readonly disagreement: ArrayLike<number>;
  readonly batchLoss: ArrayLike<number>;
  /** Sent so far by the node that sent most. */
  readonly bytes: number;
}

export class Lens {
  readonly scene: Scene;
  /** Where all nodes begin. */
  readonly start: Float32Array;
  readonly #n: number;
  readonly #fine: PlaneScores;
  readonly #rough: PlaneScores;
  readonly #worth: ReturnType<typeof evaluator>;

  constructor(task: Task) {
    const { model, holdings, start } = prepareClassification(optionsOf(task));
    const { train, shares } = holdings;
    const owners = new Uint8Array(POINTS);
    shares?.forEach((share, node) => {
      for (const point of share) owners[point] = node;
    });
    this.scene = {
      ...{ classes: train.classes, owners },
      ...{ points: Float32Array.from(train.images), labels: Uint8Array.from(train.labels) },
    };
    this.start = start.parameters;
    this.#n = task.learners;
    this.#fine = new PlaneScores(model, gridPoints(surface));
    this.#rough = new PlaneScores(model, gridPoints(coarse));
    this.#worth = evaluator(classification(optionsOf(task)));
  }

  /** O(n points of the grids) forward passes; `learner` is the node that is looked at, the mean where left out. */
  look({ x, updates, disagreement, batchLoss, bytes }: Models, learner: number | undefined): Learnt {
    const n = this.#n;
    const d = x.length / n;
    const mean = meanRow(x, n);
    const model = (node: number) => x.subarray(node * d, (node + 1) * d);
    const chosen = learner === undefined || learner >= n ? mean : model(learner);
    return {
      ...this.#worth(x, updates),
      ...{ disagreement: Float64Array.from(disagreement), batchLoss: Float64Array.from(batchLoss), bytes },
      distances: Float64Array.from({ length: n }, (_, node) => Math.sqrt(squaredDistance(model(node), mean))),
      verdict: this.#fine.verdict(chosen),
      line: boundary(this.#fine, surface, chosen),
      lines: Array.from({ length: n }, (_, node) => boundary(this.#rough, coarse, model(node))),
    };
  }
}

/** Where the winning class changes: the ends of every class's region. */
function boundary(scores: PlaneScores, grid: Grid, model: ArrayLike<number>): Float32Array {
  const leads = scores.lead(model);
  // Two classes end where each other begins; of more, every line is there twice, and only looks thicker.
  const lines = (leads.length === 2 ? leads.slice(1) : leads).map((lead) => zeroLine(grid, lead));
  const line = new Float32Array(lines.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of lines) {
    line.set(part, at);
    at += part.length;
  }
  return line;
}
