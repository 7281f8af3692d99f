/**
 * Where nodes and edges are on the paper. Capped by pixels: a circle of radius r has room for pi r marks of two pixels, and
 * where nodes outnumber them a mark stands for a stretch of nodes.
 */

import type { Paper } from "../part/picture.ts";
import type { Scene } from "./work.ts";

/** Room around the nodes for their marks. */
const MARGIN = 24;

type Point = readonly [x: number, y: number];

export interface Places {
  readonly centre: Point;
  /** From the centre to the edge of the layout. */
  readonly reach: number;
  /** Of a node's mark. */
  readonly radius: number;
  /** Nodes to a mark: 1, or more where there are more nodes than pixels. */
  readonly stretch: number;
  at(node: number): Point;
  /** The edge as pieces of curves, each a start, a control point and an end. */
  curves(from: number, to: number): readonly (readonly [Point, Point, Point])[];
}

export function placesOf(scene: Scene, { width, height }: Paper): Places {
  const { layout, n, symmetric } = scene;
  const { shape, x, y } = layout;
  const reach = Math.max(10, Math.min(width, height) / 2 - MARGIN);
  const centre: Point = [width / 2, height / 2];
  const round = shape === "circle" || shape === "star";
  const room = round ? (2 * Math.PI * reach) / n : (2 * reach) / Math.sqrt(n);
  const marks = Math.floor(Math.PI * reach);
  const at = (node: number): Point => [centre[0] + reach * x[node], centre[1] + reach * y[node]];
  // The two directions of a pair bend to different sides of each other.
  const side = symmetric ? 0 : 0.08;

  /** On a circle edges bend towards the middle, long ones more, so that steps from neighbour to neighbour stay apart. */
  function curve(a: Point, b: Point): readonly [Point, Point, Point] {
    const bend = round ? 1 - (0.15 * Math.hypot(b[0] - a[0], b[1] - a[1])) / reach : 1;
    const control: Point = [
      centre[0] + bend * ((a[0] + b[0]) / 2 - centre[0]) - side * (b[1] - a[1]),
      centre[1] + bend * ((a[1] + b[1]) / 2 - centre[1]) + side * (b[0] - a[0]),
    ];
    return [a, control, b];
  }

  /** An edge around the end of a torus leaves on one side and comes back on the other. */
  function stubs(from: number, to: number): readonly (readonly [Point, Point, Point])[] {
    const stub = (node: number, towards: number): readonly [Point, Point, Point] => {
      const out = (places: Float64Array) => {
        const way = places[towards] - places[node];
        return Math.abs(way) > 1 ? -Math.sign(way) * 0.6 * room : 0;
      };
      const [a, b] = at(node);
      const end: Point = [a + out(x), b + out(y)];
      return [[a, b], end, end];
    };
    return [stub(from, to), stub(to, from)];
  }

  return {
    centre,
    reach,
    radius: Math.max(1, Math.min(13, (round ? 0.36 : 0.32) * room)),
    stretch: round && n > marks ? n / marks : 1,
    at,
    curves(from, to) {
      const far = Math.max(Math.abs(x[from] - x[to]), Math.abs(y[from] - y[to]));
      return shape === "wrapped" && far > 1 ? stubs(from, to) : [curve(at(from), at(to))];
    },
  };
}

/** The point a share of the way along a curve. */
export function along([a, control, b]: readonly [Point, Point, Point], share: number): Point {
  const [p, q, r] = [(1 - share) ** 2, 2 * share * (1 - share), share ** 2];
  return [p * a[0] + q * control[0] + r * b[0], p * a[1] + q * control[1] + r * b[1]];
}

/** The node nearest to a point, or undefined where none is near. O(n). */
export function nodeAt(scene: Scene, x: number, y: number, paper: Paper): number | undefined {
  const places = placesOf(scene, paper);
  let [nearest, distance] = [-1, Math.max(16, 2 * places.radius)];
  for (let i = 0; i < scene.n; i++) {
    const [px, py] = places.at(i);
    const away = Math.hypot(px - x, py - y);
    if (away < distance) [nearest, distance] = [i, away];
  }
  return nearest < 0 ? undefined : nearest;
}

/** How many marks a picture of this size has for so many nodes. */
export function marksOf(scene: Scene, paper: Paper): number {
  return Math.ceil(scene.n / placesOf(scene, paper).stretch);
}
