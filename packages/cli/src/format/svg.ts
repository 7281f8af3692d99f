/**
 * A picture: nodes where the topology has them (a grid as a grid, most on a circle), edges as wide as their weight, with
 * arrowheads where they go one way. On a circle they are bent towards the middle, and so are those around the ends of a
 * torus, so that they do not hide each other.
 */

import type { Layout } from "equitopo/picture";
import { atMost, type Drawing, edgesInto } from "./drawing.ts";

const SIZE = 640;
const RADIUS = 280;
const MOST_EDGES = 20_000;

export function* writeSvg({ round, symmetric, layout }: Drawing): Generator<string> {
  const { n } = round;
  const edges: { from: number; to: number; weight: number }[] = [];
  for (let to = 0; to < n; to++) {
    for (const { from, weight } of edgesInto(round, to)) if (!symmetric || from < to) edges.push({ from, to, weight });
    atMost("the edges of a picture", MOST_EDGES, edges.length, "choose a smaller n, or another format");
  }
  const room = isRound(layout) ? (2 * Math.PI * RADIUS) / n : (2 * RADIUS) / Math.sqrt(n);
  const node = Math.max(1.5, Math.min(14, 0.3 * room));
  const heaviest = Math.max(...edges.map(({ weight }) => weight), 0);
  // Many edges: thin and pale, so that the pattern shows.
  const crowd = Math.max(1, edges.length / n);
  const widest = Math.max(0.4, Math.min(3, node / 3) / Math.sqrt(crowd));
  const opacity = Math.max(0.25, 0.9 / Math.sqrt(crowd)).toFixed(2);
  const head = Math.max(3, Math.min(10, 0.8 * node)).toFixed(1);
  yield `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-SIZE / 2} ${-SIZE / 2} ${SIZE} ${SIZE}" width="${SIZE}" height="${SIZE}" font-family="system-ui, sans-serif">
<title>${n} nodes, ${edges.length} ${symmetric ? "undirected" : "directed"} edges</title>
<rect x="${-SIZE / 2}" y="${-SIZE / 2}" width="${SIZE}" height="${SIZE}" fill="#fff"/>
<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerUnits="userSpaceOnUse" markerWidth="${head}" markerHeight="${head}" orient="auto"><path d="M0 1 10 5 0 9z" fill="#3a6ea5"/></marker></defs>
<g fill="none" stroke="#3a6ea5" stroke-opacity="${opacity}">
`;
  for (const { from, to, weight } of edges) {
    const width = (widest * (0.35 + (0.65 * weight) / heaviest)).toFixed(2);
    // A group does not hand markers on to its members.
    const marker = symmetric ? "" : ' marker-end="url(#head)"';
    yield `<path d="${edge(layout, from, to, node + 1, symmetric)}" stroke-width="${width}"${marker}/>\n`;
  }
  yield `</g>\n<g fill="#f6b73c" stroke="#7a5200" stroke-width="${Math.min(1, node / 6).toFixed(2)}">\n`;
  for (let i = 0; i < n; i++) {
    const [x, y] = place(layout, i);
    yield `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${node.toFixed(1)}"/>\n`;
  }
  yield "</g>\n";
  if (node >= 7) {
    yield `<g font-size="${(0.95 * node).toFixed(1)}" text-anchor="middle" dominant-baseline="central" fill="#3d2900">\n`;
    for (let i = 0; i < n; i++) {
      const [x, y] = place(layout, i);
      yield `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}">${i}</text>\n`;
    }
    yield "</g>\n";
  }
  yield "</svg>\n";
}

const isRound = ({ shape }: Layout) => shape === "circle" || shape === "star";

const place = ({ x, y }: Layout, i: number): [number, number] => [RADIUS * x[i], RADIUS * y[i]];

/** A curve from rim to rim of two nodes; the two directions of a pair bend to different sides. */
function edge(layout: Layout, from: number, to: number, rim: number, symmetric: boolean): string {
  const [ax, ay] = place(layout, from);
  const [bx, by] = place(layout, to);
  const length = Math.hypot(bx - ax, by - ay);
  // Long chords of a circle bend more, so that the steps from neighbour to neighbour stay apart from them.
  const bend = isRound(layout) ? 0.5 - (0.15 * length) / (2 * RADIUS) : 0.5;
  const isAround = layout.shape === "wrapped" && length > RADIUS;
  const side = isAround ? 0.2 : symmetric ? 0 : 0.08;
  const cx = bend * (ax + bx) - side * (by - ay);
  const cy = bend * (ay + by) + side * (bx - ax);
  const cut = (x: number, y: number): string => {
    const way = Math.hypot(cx - x, cy - y) || 1;
    return `${(x + (rim * (cx - x)) / way).toFixed(1)} ${(y + (rim * (cy - y)) / way).toFixed(1)}`;
  };
  return `M${cut(ax, ay)} Q${cx.toFixed(1)} ${cy.toFixed(1)} ${cut(bx, by)}`;
}
