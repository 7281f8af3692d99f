/** What a network says of points of the plane: class scores, for any parameters, through the kernels that train it. */

import { createNnKernels, type Model } from "@equitopo/nn";

/** A class for each point, and by how much it leads the next. */
export interface Verdict {
  readonly classes: Uint8Array;
  /** The lead of the highest score over the second. */
  readonly leads: Float32Array;
}

/** Kernels write in whole vectors of 16 bytes, and nothing begins at 0. */
const FIRST = 16;
const vector = (bytes: number) => Math.ceil(bytes / 16) * 16;

export class PlaneScores {
  readonly classes: number;
  readonly points: number;
  readonly #parameters: Float32Array;
  readonly #network: ReturnType<Model["bind"]>;

  /** `points` are x, y, x, y, ... */
  constructor(model: Model, points: Float32Array) {
    this.classes = model.classes;
    this.points = points.length / 2;
    const workspace = FIRST + vector(4 * model.parameterCount);
    const kernels = createNnKernels(workspace + model.workspaceBytes(this.points));
    this.#parameters = new Float32Array(kernels.memory.buffer, FIRST, model.parameterCount);
    this.#network = model.bind(kernels, workspace, this.points);
    const { images, imagePitch } = this.#network;
    for (let k = 0; k < this.points; k++) {
      images[k * imagePitch] = points[2 * k];
      images[k * imagePitch + 1] = points[2 * k + 1];
    }
  }

  /** One row of `pitch` numbers a point, the class scores first; overwritten by the next call. O(points) forward passes. */
  of(parameters: ArrayLike<number>): { readonly rows: Float32Array; readonly pitch: number } {
    this.#parameters.set(parameters);
    const rows = this.#network.forward({ parameters: FIRST, count: this.points });
    return { rows, pitch: this.#network.logitPitch };
  }

  /** The class of every point. */
  verdict(parameters: ArrayLike<number>): Verdict {
    const { rows, pitch } = this.of(parameters);
    const classes = new Uint8Array(this.points);
    const leads = new Float32Array(this.points);
    for (let k = 0; k < this.points; k++) {
      const row = rows.subarray(k * pitch, k * pitch + this.classes);
      const best = highest(row);
      classes[k] = best;
      leads[k] = row[best] - Math.max(...row.filter((_, c) => c !== best));
    }
    return { classes, leads };
  }

  /** How far the score of class c leads those of all others at every point; 0 is where its region ends. */
  lead(parameters: ArrayLike<number>): Float32Array[] {
    const { rows, pitch } = this.of(parameters);
    return Array.from({ length: this.classes }, (_, c) =>
      Float32Array.from({ length: this.points }, (_, k) => {
        let other = Number.NEGATIVE_INFINITY;
        for (let e = 0; e < this.classes; e++) if (e !== c) other = Math.max(other, rows[k * pitch + e]);
        return rows[k * pitch + c] - other;
      }),
    );
  }
}

function highest(row: Float32Array): number {
  let best = 0;
  for (let c = 1; c < row.length; c++) if (row[c] > row[best]) best = c;
  return best;
}
