/**
 * Which parts of a text are looked at: in training, windows that begin anywhere in a node's share, drawn from (seed, update,
 * node); in validation, windows side by side, so that every token but the first is predicted once.
 */

import { InputError } from "equitopo/internal/input";
import { RandomStream, streams } from "equitopo/internal/random";
import type { BoundModel } from "../model/bound.ts";
import type { TokenizedText, Tokens } from "../text/tokens.ts";
import type { Settings } from "./settings.ts";

/** The part of the training text that a node's windows are drawn from: first token, and the one after the last. */
export type Share = readonly [from: number, to: number];

/** The shares of all nodes; files stay whole, and in their order, as equal in size as that allows. */
export function sharesOf({ n, split }: Pick<Settings, "n" | "split">, { train, files }: TokenizedText): Share[] {
  const { length } = train;
  if (split === "iid") return Array.from({ length: n }, () => [0, length]);
  const part = (node: number) => Math.floor((node * length) / n);
  if (split === "contiguous") return Array.from({ length: n }, (_, node) => [part(node), part(node + 1)]);
  const count = files.length - 1;
  if (count < n) throw new InputError(`${n} nodes need ${n} files to train on`, count, "try split: contiguous");
  const edges = [0];
  for (let f = 1; f < count; f++) {
    const middle = (files[f] + files[f + 1]) / 2;
    const isDue = middle >= part(edges.length) && edges.length < n;
    const isNeeded = n - edges.length === count - f;
    if (isDue || isNeeded) edges.push(files[f]);
  }
  return edges.map((from, node) => [from, edges[node + 1] ?? length]);
}

/** Windows of `context` tokens, and those after them as labels, from random places of a share into a network's batch. */
export function drawWindows(
  { batch, images, labels, model: { rows } }: BoundModel,
  text: Tokens,
  [from, to]: Share,
  { seed, round }: { readonly seed: number; readonly round: number },
): void {
  const stream = new RandomStream(seed, streams.windows, round);
  for (let k = 0; k < batch; k++) {
    const first = from + stream.below(to - from - rows);
    images.set(text.subarray(first, first + rows), k * rows);
    labels.set(text.subarray(first + 1, first + 1 + rows), k * rows);
  }
}

/** Windows that it takes to predict every token of a text but the first. */
export const windowCount = (text: Tokens, context: number): number => Math.ceil((text.length - 1) / context);

/** Windows first, first + step, ... of a validation text into a batch; places past the text's end have no label. */
export function placeWindows(
  { images, labels, model: { rows } }: BoundModel,
  text: Tokens,
  windows: readonly number[],
): void {
  images.fill(0);
  labels.fill(-1);
  windows.forEach((window, k) => {
    const first = window * rows;
    const last = Math.min(first + rows, text.length - 1);
    images.set(text.subarray(first, last), k * rows);
    labels.set(text.subarray(first + 1, last + 1), k * rows);
  });
}
