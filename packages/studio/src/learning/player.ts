/** The updates that are shown and their frames, trained by a worker on the CPU or, beside the page, one on the GPU. */

import { signal } from "@preact/signals";
import { type Line, newDesk, openDesk } from "../desk.ts";
import { player } from "../part/player.ts";
import { view } from "../store.ts";
import { MOST_UPDATES } from "../view/fields.ts";
import { taskOf } from "../work/learning/task.ts";

/** The update that the worker has come to on its way to one far away. */
export const reached = signal<number | undefined>(undefined);

/** Why the GPU cannot be used, or undefined where it can be tried: whether there is an adapter is seen when it is opened. */
export function gpuTrouble(): string | undefined {
  if (!location.protocol.startsWith("http")) return "not from a file: serve the page, as equitopo studio does";
  if (!("gpu" in navigator)) return "this browser has no WebGPU";
  return undefined;
}

const device = () => (gpuTrouble() === undefined ? view.value.device : "cpu");

const desks = { cpu: newDesk(), gpu: openDesk(() => new Worker("./gpu.js") as unknown as Line) };
/** Whose trainings are shown. */
let used: keyof typeof desks = "cpu";

/** What the trainings are of; another one begins anew. */
const origin = () => [taskOf(view.value), view.value.topology];

export const updates = player({
  ...{ place: "update", speed: "pace", origin, close: () => desks[used].close() },
  last: () => MOST_UPDATES,
  // A GPU is asked for many at a time, since each time costs.
  strides: () => (used === "gpu" ? [view.peek().pace, 2 * view.peek().pace] : [1, Math.max(1, view.peek().pace / 4)]),
  setting: () => [origin(), view.value.learningNode, device()],
  async ask(update) {
    const { topology: topologies, learningNode: node } = view.peek();
    if (used !== device()) desks[used].close();
    used = device();
    const frame = await desks[used].ask("learning", { task: taskOf(view.peek()), topologies, update, node }, (now) => {
      reached.value = now;
    });
    if (frame !== undefined) reached.value = undefined;
    return frame;
  },
});
