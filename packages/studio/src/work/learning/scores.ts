/** What a network says of points of the plane: class scores, for any parameters, through the kernels that train it. */

import { createNnKernels, type Model } from "@equitopo/nn";

/** Kernels write in whole vectors of 16 bytes, and nothing begins at 0. */
const FIRST = 16;
const vector = (bytes: number) => Math.ceil(bytes / 16) * 16;

/**
 * A function from parameters to how far the score of each class leads those of all others at every point (x, y, x, y, ...);
 * 0 is where its region ends.
 */
export function planeScores(model: Model, points: Float32Array): (parameters: ArrayLike<number>) => Float32Array[] {
  const { classes, parameterCount } = model;
  const count = points.length / 2;
  const workspace = FIRST + vector(4 * parameterCount);
  const kernels = createNnKernels(workspace + model.workspaceBytes(count));
  const memory = new Float32Array(kernels.memory.buffer, FIRST, parameterCount);
  const network = model.bind(kernels, workspace, count);
  const { images, imagePitch } = network;
  for (let k = 0; k < count; k++) images.set(points.subarray(2 * k, 2 * k + 2), k * imagePitch);
  return (parameters) => {
    memory.set(parameters);
    const rows = network.forward({ parameters: FIRST, count });
    const { logitPitch: pitch } = network;
    return Array.from({ length: classes }, (_, c) =>
      Float32Array.from({ length: count }, (_, k) => {
        let other = Number.NEGATIVE_INFINITY;
        for (let e = 0; e < classes; e++) if (e !== c) other = Math.max(other, rows[k * pitch + e]);
        return rows[k * pitch + c] - other;
      }),
    );
  };
}

/** The class of every point, the one whose score leads all others, and by how much it leads the next. */
export function verdictOf(leads: readonly Float32Array[]) {
  const classes = leads[0].map((_, k) => leads.reduce((best, lead, c) => (lead[k] > leads[best][k] ? c : best), 0));
  return { classes: Uint8Array.from(classes), leads: classes.map((best, k) => leads[best][k]) };
}
