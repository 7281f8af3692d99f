/** Calls of the gossip kernels by name: each kernel exists for float64 and for float32 rows. */

import type { Exports } from "./wasm.ts";

/** In the order by which threads number them. */
export const gossipKernels = [
  ...(["shiftRows", "scaleRows", "shiftsRows", "shiftsBlocks", "matchRows"] as const),
  ...(["sparseRows", "columnMeans", "meanRows", "measureRows"] as const),
] as const;

type GossipKernel = (typeof gossipKernels)[number];

/** A kernel's arguments before (part, lo, hi): which thread's scratch it uses, and the items it does. */
type Before<Args> = Args extends [...infer Own, number, number, number] ? Readonly<Own> : never;

/** A kernel and its arguments before (part, lo, hi). */
export type GossipCall = {
  readonly [K in GossipKernel]: { readonly kernel: K; readonly args: Before<Parameters<Exports[`${K}64`]>> };
}[GossipKernel];

/** Does items lo .. hi - 1 of a call, on rows of float64 or float32. */
export function callGossip(
  exports: Exports,
  type: "float64" | "float32",
  { kernel, args }: GossipCall,
  part: number,
  lo: number,
  hi: number,
): void {
  // A GossipCall holds a kernel with its own arguments, which a look-up by its name cannot show to the compiler.
  const call = exports[`${kernel}${type === "float64" ? 64 : 32}`] as (...numbers: readonly number[]) => void;
  call(...args, part, lo, hi);
}
