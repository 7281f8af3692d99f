/**
 * Where a topology's nodes stand in a picture, in a square from -1 to 1 with y pointing down: a grid and a torus as rows
 * and columns, a hypercube as squares within squares, points as they were drawn, a star around its middle, everything
 * else on a circle, node 0 on top and the others clockwise.
 */

import { ceilLog2 } from "../number/integers.ts";
import type { Topology } from "../topology/topology.ts";

export interface Layout {
  /** wrapped: rows and columns whose ends are neighbours, too (a torus). */
  readonly shape: "circle" | "star" | "lattice" | "wrapped" | "hypercube" | "points";
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Lattices: how many columns. */
  readonly cols?: number;
}

/**
 * The layout that is a topology's own; of fresh labels every period there is none but the circle. O(n).
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
  const { rows, cols } = spec as { readonly rows?: number; readonly cols?: number };
  if (spec["relabel"] === true) return circleLayout(n);
  if (points !== undefined) return { shape: "points", x: points.x.map(centred), y: points.y.map(centred) };
  if ((name === "grid" || name === "torus") && rows !== undefined && cols !== undefined) {
    // A torus of one row is a ring.
    if (name === "torus") return Math.min(rows, cols) === 1 ? circleLayout(n) : lattice(rows, cols, "wrapped");
    return lattice(rows, cols, "lattice");
  }
  if (name === "hypercube") return hypercube(n);
  if (name === "star") return star(n);
  return circleLayout(n);
}

/** What nodes may be asked to stand on; `own` is what the topology is. */
export const layoutNames = ["own", "circle", "lattice", "star"] as const;

/**
 * The layout of that name, whatever the topology: its own, a circle, rows of a square (the last may be short), or a circle
 * around node 0. O(n).
 *
 * @example
 * ```ts
 * import { ring } from "equitopo";
 * import { layoutAs } from "equitopo/picture";
 * layoutAs(ring({ n: 10 }), "lattice").cols // => 4
 * ```
 */
export function layoutAs(topology: Topology, name: (typeof layoutNames)[number]): Layout {
  const { n } = topology;
  const cols = Math.ceil(Math.sqrt(n));
  switch (name) {
    case "own":
      return layoutOf(topology);
    case "circle":
      return circleLayout(n);
    case "lattice":
      return lattice(Math.ceil(n / cols), cols, "lattice", n);
    case "star":
      return star(n);
  }
}

/** All on a circle of radius 1. O(n). */
export function circleLayout(n: number): Layout {
  const angle = (i: number) => (2 * Math.PI * i) / n;
  return {
    shape: "circle",
    x: Float64Array.from({ length: n }, (_, i) => Math.sin(angle(i))),
    y: Float64Array.from({ length: n }, (_, i) => -Math.cos(angle(i))),
  };
}

const centred = (place: number) => 2 * place - 1;

/** Cells of one size, the longer side filling the square. */
function lattice(rows: number, cols: number, shape: "lattice" | "wrapped", n = rows * cols): Layout {
  const cell = 2 / Math.max(rows, cols);
  const place = (k: number, count: number) => (k - (count - 1) / 2) * cell;
  return {
    shape,
    x: Float64Array.from({ length: n }, (_, i) => place(i % cols, cols)),
    y: Float64Array.from({ length: n }, (_, i) => place(Math.floor(i / cols), rows)),
    cols,
  };
}

/** Node 0 in the middle. */
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
  const along = (side: 0 | 1) =>
    Float64Array.from({ length: n }, (_, i) =>
      steps.reduce((sum, step, bit) => sum + ((i >> bit) & 1 ? 0.5 : -0.5) * step[side], 0),
    );
  const [x, y] = [along(0), along(1)];
  const reach = [...x, ...y].reduce((most, place) => Math.max(most, Math.abs(place)), 0);
  return { shape: "hypercube", x: x.map((place) => place / reach), y: y.map((place) => place / reach) };
}
