/**
 * The edges of rounds as standalone SVG: nodes at the places of the layout, edges as wide as their weight, with arrowheads if
 * they go one way. One round is a still picture. Several rounds follow each other, one second each, by style rules alone, so
 * the file also moves in an <img>. If it cannot move, or motion is not wanted, it shows the first.
 */

import { InputError } from "../input/input.ts";
import { type Edge, forEachEdgeInto, type Round } from "../round/round.ts";
import { heading, standalone } from "./figure.ts";
import type { Layout } from "./layout.ts";
import { themes } from "./palette.ts";
import { type Curve, type Places, placesOf, type Spot } from "./places.ts";
import { pixel, text } from "./text.ts";

export interface RoundsFigure {
  readonly title: string;
  readonly layout: Layout;
  /** Edges go both ways with one weight, and are drawn once. */
  readonly symmetric: boolean;
  /** Each with its name, shown under the title with the number of edges. */
  readonly rounds: readonly { readonly round: Round; readonly name: string }[];
  /** In pixels; 640 by default. */
  readonly width?: number;
}

/** With more edges the picture is a blur, and no viewer opens the file. */
const MOST_EDGES = 20_000;
/** Nodes of at least this radius show their number. */
const LABELLED = 7;
const [EDGE, FILL, RIM, NUMBER] = ["#3a6ea5", "#f6b73c", "#7a5200", "#3d2900"];

/**
 * The picture. O(nodes + edges of all rounds); more than 20,000 edges are refused.
 *
 * @example
 * ```ts
 * import { ring } from "equitopo";
 * import { layoutOf, roundsFigure } from "equitopo/picture";
 * const graph = ring({ n: 5 });
 * const rounds = [{ round: graph.round(0), name: "round 0" }];
 * const svg = roundsFigure({ title: "Ring, n = 5", layout: layoutOf(graph), symmetric: true, rounds });
 * svg.match(/data-edge="[^"]+"/g)?.length // => 5
 * ```
 */
export function roundsFigure({ title, layout, symmetric, rounds, width = 640 }: RoundsFigure): string {
  const theme = themes.light;
  const edges = edgesOf(rounds, symmetric);
  // A round's text takes the place of the subtitle.
  const head = heading(title, "words", width, theme);
  const shownTitle = heading(title, undefined, width, theme).svg;
  const places = placesOf({ layout, symmetric }, { width, height: width, theme: "light" });
  const heaviest = edges.flat().reduce((top, [, , weight]) => Math.max(top, weight), 0);
  const looks = lookOf(places.radius, Math.max(...edges.map((list) => list.length)), layout.x.length, heaviest);
  const drawn = rounds.map(({ name }, k) => {
    const words = `${name}: ${edges[k].length} ${symmetric ? "undirected" : "directed"} ${edges[k].length === 1 ? "edge" : "edges"}`;
    const subtitle = text(words, width / 2, head.height - 4, 12, theme.quiet, "", "middle");
    const lines = edges[k].map((edge) => edgePath(edge, places, looks, symmetric)).join("\n");
    return `${subtitle}<g transform="translate(0 ${head.height})" fill="none" stroke="${EDGE}" stroke-opacity="${looks.opacity}">\n${lines}\n</g>`;
  });
  const marker = symmetric ? "" : arrowhead(looks.head);
  const nodes = `<g transform="translate(0 ${head.height})">${nodeMarks(layout.x.length, places)}</g>`;
  return standalone(title, width, width + head.height, "light", shownTitle + marker + shownInTurn(drawn) + nodes);
}

/** The edges of each round; stops as soon as there are too many. */
function edgesOf(rounds: RoundsFigure["rounds"], symmetric: boolean): Edge[][] {
  let all = 0;
  return rounds.map(({ round }) => {
    const edges: Edge[] = [];
    for (let i = 0; i < round.n && all + edges.length <= MOST_EDGES; i++) {
      forEachEdgeInto(round, i, (from, to, weight) => {
        if (!symmetric || from < to) edges.push([from, to, weight]);
      });
    }
    all += edges.length;
    if (all <= MOST_EDGES) return edges;
    const remedy = `choose a smaller n${rounds.length > 1 ? " or fewer rounds" : ""}, or another format`;
    throw new InputError(`the edges of a picture must be at most ${MOST_EDGES}`, "more than that", remedy);
  });
}

/** Many edges: thin and pale, so that the pattern shows. */
function lookOf(radius: number, most: number, n: number, heaviest: number) {
  const crowd = Math.max(1, most / n);
  return {
    widest: Math.max(0.4, Math.min(3, radius / 3) / Math.sqrt(crowd)),
    heaviest,
    opacity: Math.max(0.25, 0.9 / Math.sqrt(crowd)).toFixed(2),
    head: pixel(Math.max(3, Math.min(10, 0.8 * radius))),
  };
}

const arrowhead = (size: string) =>
  `<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerUnits="userSpaceOnUse" markerWidth="${size}" markerHeight="${size}" orient="auto"><path d="M0 1 10 5 0 9z" fill="${EDGE}"/></marker></defs>`;

/** A path from rim to rim; an edge around the end of a torus is two pieces of one path. */
function edgePath([from, to, weight]: Edge, places: Places, look: ReturnType<typeof lookOf>, symmetric: boolean) {
  const pieces = places.curves(from, to);
  const d = pieces.map((curve) => cut(curve, places.radius + 1, pieces.length === 1)).join("");
  const width = pixel(look.widest * (0.35 + (0.65 * weight) / look.heaviest));
  // A group does not pass markers on to its members.
  const head = symmetric ? "" : ' marker-end="url(#head)"';
  return `<path d="${d}" data-edge="${from}-${to}" stroke-width="${width}"${head}/>`;
}

function cut([a, control, b]: Curve, rim: number, both: boolean): string {
  const shortened = ([x, y]: Spot): string => {
    const way = Math.hypot(control[0] - x, control[1] - y) || 1;
    return `${pixel(x + (rim * (control[0] - x)) / way)} ${pixel(y + (rim * (control[1] - y)) / way)}`;
  };
  const end = both ? shortened(b) : `${pixel(b[0])} ${pixel(b[1])}`;
  return `M${shortened(a)}Q${pixel(control[0])} ${pixel(control[1])} ${end}`;
}

function nodeMarks(n: number, { at, radius }: Places): string {
  const each = (draw: (place: Spot, i: number) => string) =>
    Array.from({ length: n }, (_, i) => draw(at(i), i)).join("\n");
  const discs = each(([x, y]) => `<circle cx="${pixel(x)}" cy="${pixel(y)}" r="${pixel(radius)}"/>`);
  const marks = `<g fill="${FILL}" stroke="${RIM}" stroke-width="${pixel(Math.min(1, radius / 6))}">\n${discs}\n</g>`;
  if (radius < LABELLED) return marks;
  const numbers = each(([x, y], i) => `<text x="${pixel(x)}" y="${pixel(y + 0.34 * radius)}">${i}</text>`);
  return `${marks}<g font-size="${pixel(0.95 * radius)}" text-anchor="middle" fill="${NUMBER}">\n${numbers}\n</g>`;
}

/** Shows each drawing for a second, in turn and for ever. */
function shownInTurn(drawn: readonly string[]): string {
  if (drawn.length === 1) return drawn[0];
  // Rounded up: two rounds overlap for microseconds; a gap would flicker.
  const share = Math.ceil(1e6 / drawn.length) / 1e4;
  const style = [
    `.round{visibility:hidden;animation:turn ${drawn.length}s step-end infinite}`,
    ".round.first{visibility:visible}",
    `@keyframes turn{0%{visibility:visible}${share}%{visibility:hidden}}`,
    "@media (prefers-reduced-motion:reduce){.round{animation:none}}",
  ];
  const groups = drawn.map((one, k) => {
    const look = k === 0 ? ' class="round first"' : ` class="round" style="animation-delay:${k}s"`;
    return `<g${look}>${one}</g>`;
  });
  return `<style>${style.join("")}</style>\n${groups.join("\n")}\n`;
}
