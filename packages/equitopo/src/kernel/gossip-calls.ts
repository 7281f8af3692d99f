/**
 * The kernels of gossip by name, with their arguments in order; every one exists for rows of 64 and of 32 bits and takes
 * (part, lo, hi) last: which thread's scratch it uses, and the items it does.
 */

const circulant = ["x", "y", "n", "d", "self", "shifts", "weights", "m", "equal", "places"] as const;

export const gossipArguments = {
  shiftRows: ["x", "y", "n", "d", "self", "shift", "weight", "mean", "out"],
  scaleRows: ["x", "to", "d", "weight"],
  shiftsRows: [...circulant, "scaled", "block", "sums", "mean", "out"],
  shiftsBlocks: [...circulant, "width", "panel", "block", "packed"],
  matchRows: ["x", "pairs", "d", "self", "weight", "mean", "out"],
  sparseRows: ["x", "y", "d", "self", "start", "from", "weights", "first", "sums", "mean", "out"],
  columnMeans: ["x", "n", "d", "average"],
  meanRows: ["x", "d", "keep", "average", "mean", "out"],
  measureRows: ["rows", "d", "mean", "out"],
} as const;

export type GossipKernel = keyof typeof gossipArguments;

/** In the order by which threads number them. */
export const gossipKernels = Object.keys(gossipArguments) as readonly GossipKernel[];

/** A number for each of a kernel's arguments. */
type Numbers<Names> = { readonly [K in keyof Names]: number };

/** A kernel and its arguments before (part, lo, hi). */
export type GossipCall = {
  readonly [K in GossipKernel]: { readonly kernel: K; readonly args: Numbers<(typeof gossipArguments)[K]> };
}[GossipKernel];

export type GossipExports = {
  readonly [K in GossipKernel as `${K}${64 | 32}`]: (
    ...args: [...Numbers<(typeof gossipArguments)[K]>, part: number, lo: number, hi: number]
  ) => void;
};

/** Does items lo .. hi - 1 of a call, on rows of float64 or float32. */
export function callGossip(
  exports: GossipExports,
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
