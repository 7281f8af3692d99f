/**
 * The places of nodes and edges on paper. A circle of radius r has room for pi r marks of two pixels; if there are more
 * nodes, a mark stands for several.
 */

import type { Layout } from "./layout.ts";
import type { Paper } from "./pen.ts";

/** Room around the nodes for their marks. */
const MARGIN = 24;

export type Spot = readonly [x: number, y: number];

/** A piece of an edge: its start, the control point of a quadratic curve, its end. */
export type Curve = readonly [Spot, Spot, Spot];

/** The layout of the nodes, and whether edges go both ways with one weight. */
export interface Placed {
  readonly layout: Layout;
  readonly symmetric: boolean;
}

export interface Places {
  readonly centre: Spot;
  /** From the centre to the edge of the layout. */
  readonly reach: number;
  /** Of a node's mark. */
  readonly radius: number;
  /** Nodes per mark: 1, or more if there are more nodes than pixels. */
  readonly stretch: number;
  at(node: number): Spot;
  /** The edge as pieces of curves, each a start, a control point and an end. */
  curves(from: number, to: number): readonly Curve[];
}

/**
 * The places of a layout's nodes and edges on paper. O(1), and so is each of its answers.
 *
 * @example
 * ```ts
 * import { torus } from "equitopo";
 * import { layoutOf, placesOf } from "equitopo/picture";
 * const places = placesOf({ layout: layoutOf(torus({ n: 16 })), symmetric: true }, { width: 400, height: 400, theme: "light" });
 * places.at(0).join() // => "68,68"
 * places.curves(0, 1).length // => 1
 * places.curves(0, 3).length // => 2
 * ```
 */
export function placesOf(placed: Placed, { width, height }: Paper): Places {
  const { layout, symmetric } = placed;
  const { shape, x, y, cols } = layout;
  const n = x.length;
  const reach = Math.max(10, Math.min(width, height) / 2 - MARGIN);
  const centre: Spot = [width / 2, height / 2];
  const round = shape === "circle" || shape === "star";
  // The distance of two nodes of a lattice, in units in which the layout is 2 wide.
  const cell = cols === undefined ? undefined : 2 / Math.max(cols, Math.ceil(n / cols));
  const room = round ? (2 * Math.PI * reach) / n : reach * (cell ?? 2 / Math.sqrt(n));
  const marks = Math.floor(Math.PI * reach);
  const at = (node: number): Spot => [centre[0] + reach * x[node], centre[1] + reach * y[node]];
  // The two directions of a pair bend to different sides.
  const side = symmetric ? 0 : 0.08;

  /** On a circle edges bend towards the middle, long ones more, so that they stay apart from the steps between neighbours. */
  function curve(a: Spot, b: Spot): Curve {
    const bend = round ? 1 - (0.15 * Math.hypot(b[0] - a[0], b[1] - a[1])) / reach : 1;
    const control: Spot = [
      centre[0] + bend * ((a[0] + b[0]) / 2 - centre[0]) - side * (b[1] - a[1]),
      centre[1] + bend * ((a[1] + b[1]) / 2 - centre[1]) + side * (b[0] - a[0]),
    ];
    return [a, control, b];
  }

  // Neighbours on a torus are one cell apart, directly or around its end.
  const isFar = (way: number) => cell !== undefined && Math.abs(way) > 1.5 * cell;

  /** An edge around the end of a torus leaves on one side and returns on the other: both ends are drawn. */
  function bothEnds(from: number, to: number): readonly Curve[] {
    const endAt = (node: number, towards: number): Curve => {
      const out = (way: number) => (isFar(way) ? -Math.sign(way) * 0.6 * room : 0);
      const [a, b] = at(node);
      const tip: Spot = [a + out(x[towards] - x[node]), b + out(y[towards] - y[node])];
      return [[a, b], tip, tip];
    };
    return [endAt(from, to), endAt(to, from)];
  }

  return {
    centre,
    reach,
    radius: Math.max(1, Math.min(13, (round ? 0.36 : 0.32) * room)),
    stretch: round && n > marks ? n / marks : 1,
    at,
    curves(from, to) {
      const isAround = shape === "wrapped" && (isFar(x[from] - x[to]) || isFar(y[from] - y[to]));
      return isAround ? bothEnds(from, to) : [curve(at(from), at(to))];
    },
  };
}

/** The point on a curve after a share of its way. */
export function along([a, control, b]: Curve, share: number): Spot {
  const [p, q, r] = [(1 - share) ** 2, 2 * share * (1 - share), share ** 2];
  return [p * a[0] + q * control[0] + r * b[0], p * a[1] + q * control[1] + r * b[1]];
}

/** The node nearest to a point; undefined if none is near. O(n). */
export function nodeAt(placed: Placed, x: number, y: number, paper: Paper): number | undefined {
  const places = placesOf(placed, paper);
  let [nearest, distance] = [-1, Math.max(16, 2 * places.radius)];
  for (let i = 0; i < placed.layout.x.length; i++) {
    const [px, py] = places.at(i);
    const away = Math.hypot(px - x, py - y);
    if (away < distance) [nearest, distance] = [i, away];
  }
  return nearest < 0 ? undefined : nearest;
}

/** The number of marks in a picture of this size. */
export function marksOf(placed: Placed, paper: Paper): number {
  return Math.ceil(placed.layout.x.length / placesOf(placed, paper).stretch);
}
