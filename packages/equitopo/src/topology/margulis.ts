/**
 * Margulis' expander as Gabber and Galil (1981) have it: n = m^2 nodes (x, y) of Z_m x Z_m, label x m + y, with eight
 * slots each,
 *
 *   (x +- 2y, y),  (x +- (2y + 1), y),  (x, y +- 2x),  (x, y +- (2x + 1));
 *
 * W is an eighth of the slots: a slot that leads back to the node itself adds to its own weight, slots that lead to the
 * same node add up. Undirected, static, degree at most 8; rate at most 5 sqrt(2)/8 = 0.8839 for every m >= 2.
 */

import { InputError } from "../input/input.ts";
import { mod } from "../number/integers.ts";
import { computedTopology } from "./graph.ts";
import { checkOptions, defineTopology, type Topology } from "./topology.ts";
import { baselineSpec, type UndirectedOptions, undirectedOptions } from "./weights.ts";

const isSquare = (n: number) => Math.round(Math.sqrt(n)) ** 2 === n;

/**
 * @example
 * ```ts
 * import { margulis } from "equitopo/topology";
 * margulis({ n: 100 }).rate().rate.toFixed(5) // => "0.73669"
 * margulis({ n: 1_000_000 }).peers(0, 123_456).from.length // => 8
 * ```
 */
export function margulis(options: UndirectedOptions): Topology {
  const { n } = checkOptions(margulisFamily, options);
  const m = Math.round(Math.sqrt(n));
  if (!isSquare(n)) {
    const below = Math.max(2, Math.floor(Math.sqrt(n)));
    throw new InputError("a Margulis graph needs n to be a square", n, `try n = ${below ** 2} or ${(below + 1) ** 2}`);
  }
  // An eighth for each slot; loops are left to the own weight.
  const links = (i: number) => {
    const weights = new Map<number, number>();
    for (const node of slots(m, i)) if (node !== i) weights.set(node, (weights.get(node) ?? 0) + 1 / 8);
    return Array.from(weights, ([node, weight]) => ({ node, weight }));
  };
  // The first nodes of a large graph have loops and double edges, as those of a small one all do; an inner one has none.
  let maxDegree = 0;
  let loops = 8;
  for (let i = 0; i < n && (maxDegree < 8 || loops > 0); i++) {
    maxDegree = Math.max(maxDegree, links(i).length);
    loops = Math.min(loops, slots(m, i).filter((node) => node === i).length);
  }
  return computedTopology(baselineSpec("margulis", options), { links, maxDegree, smallestSelf: loops / 8 });
}

/** The eight ends of node i's slots. */
function slots(m: number, i: number): number[] {
  const y = i % m;
  const x = (i - y) / m;
  const at = (u: number, v: number) => mod(u, m) * m + mod(v, m);
  return [2 * y, -2 * y, 2 * y + 1, -2 * y - 1]
    .map((step) => at(x + step, y))
    .concat([2 * x, -2 * x, 2 * x + 1, -2 * x - 1].map((step) => at(x, y + step)));
}

export const margulisFamily = defineTopology({
  name: "margulis",
  summary: "undirected, static, degree up to 8, n a square: an expander by shears of the torus",
  source: "Margulis 1973; Gabber and Galil 1981",
  group: "rival",
  options: undirectedOptions,
  refuses: (n) => (isSquare(n) ? undefined : "needs a square"),
  // An expander: the steps hardly grow with n.
  work: ({ n }) => ({ edges: 8 * n, steps: 150 }),
  create: margulis,
});
