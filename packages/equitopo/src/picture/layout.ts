/**
 * The places of a topology's nodes, in a square from -1 to 1 with y pointing down: a grid and a torus as rows and columns, a
 * hypercube as squares within squares, points as they were drawn, a star around its middle, everything else on a circle, node
 * 0 on top and the others clockwise. Families name their layout in the registry.
 */

import { ceilLog2 } from "../number/integers.ts";
import type { Topology } from "../topology/topology.ts";
import { familyOf } from "./name.ts";

export interface Layout {
  /** wrapped: rows and columns whose ends are neighbours (a torus). */
  readonly shape: "circle" | "star" | "lattice" | "wrapped" | "hypercube" | "points";
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Lattices: how many columns. */
  readonly cols?: number;
}

/**
 * The layout of a topology; a circle if its labels are redrawn every period. O(n).
 *
 * @example
 * ```ts
 * import { grid, ring } from "equitopo";
 * import { layoutOf } from "equitopo/picture";
 * const { shape, x, y } = layoutOf(grid({ n: 9 }));
 * shape // => "lattice"
 * x[5].toFixed(2) // => "0.67"
 * y[5] // => 0
 * layoutOf(ring({ n: 4 })).y[0] // => -1
 * ```
 */
export function layoutOf(topology: Topology): Layout {
  const { name, n, spec, points } = topology;
  const { rows = 1, cols = n } = spec as { readonly rows?: number; readonly cols?: number };
  if (spec["relabel"] === true) return circleLayout(n);
  if (points !== undefined) return { shape: "points", x: points.x.map(centred), y: points.y.map(centred) };
  const layout = familyOf(name)?.layout;
  if (layout === "hypercube") return hypercube(n);
  if (layout === "star") return star(n);
  // A torus of one row is a ring.
  if (layout === undefined || (layout === "wrapped" && Math.min(rows, cols) === 1)) return circleLayout(n);
  return lattice(rows, cols, layout);
}

const layouts = {
  own: layoutOf,
  circle: ({ n }: Topology) => circleLayout(n),
  lattice({ n }: Topology) {
    const cols = Math.ceil(Math.sqrt(n));
    return lattice(Math.ceil(n / cols), cols, "lattice", n);
  },
  star: ({ n }: Topology) => star(n),
};

type LayoutName = keyof typeof layouts;

/** The names of layouts; `own` is the topology's. */
export const layoutNames = Object.keys(layouts) as readonly LayoutName[];

/**
 * The layout of that name, for any topology: its own, a circle, rows of a square (the last may be short), or a circle around
 * node 0. O(n).
 *
 * @example
 * ```ts
 * import { ring } from "equitopo";
 * import { layoutAs } from "equitopo/picture";
 * layoutAs(ring({ n: 10 }), "lattice").cols // => 4
 * ```
 */
export function layoutAs(topology: Topology, name: LayoutName): Layout {
  return layouts[name](topology);
}

/** All on a circle of radius 1. O(n). */
export function circleLayout(n: number): Layout {
  const angle = (i: number) => (2 * Math.PI * i) / n;
  return { shape: "circle", x: each(n, (i) => Math.sin(angle(i))), y: each(n, (i) => -Math.cos(angle(i))) };
}

const each = (n: number, place: (i: number) => number) => new Float64Array(n).map((_, i) => place(i));

const centred = (place: number) => 2 * place - 1;

/** Cells of one size, the longer side filling the square. */
function lattice(rows: number, cols: number, shape: "lattice" | "wrapped", n = rows * cols): Layout {
  const cell = 2 / Math.max(rows, cols);
  const place = (k: number, count: number) => (k - (count - 1) / 2) * cell;
  const [x, y] = [each(n, (i) => place(i % cols, cols)), each(n, (i) => place(Math.floor(i / cols), rows))];
  return { shape, x, y, cols };
}

function star(n: number): Layout {
  const others = circleLayout(n - 1);
  const [x, y] = [new Float64Array(n), new Float64Array(n)];
  x.set(others.x, 1);
  y.set(others.y, 1);
  return { shape: "star", x, y };
}

/** Each pair of bits is a square, smaller than the one before and turned a little, so that no edge hides another. */
function hypercube(n: number): Layout {
  const [shrink, turn] = [0.42, 0.35];
  const steps = Array.from({ length: ceilLog2(n) }, (_, bit) => {
    const level = Math.floor(bit / 2);
    const angle = turn * level + (bit % 2 === 0 ? 0 : Math.PI / 2);
    const length = shrink ** level;
    return [length * Math.cos(angle), length * Math.sin(angle)];
  });
  const [x, y] = [0, 1].map((side) =>
    each(n, (i) => steps.reduce((sum, step, bit) => sum + ((i >> bit) & 1 ? 0.5 : -0.5) * step[side], 0)),
  );
  const reach = [...x, ...y].reduce((most, place) => Math.max(most, Math.abs(place)), 0);
  return { shape: "hypercube", x: x.map((place) => place / reach), y: y.map((place) => place / reach) };
}
