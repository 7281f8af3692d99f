/**
 * Small graphs side by side, as standalone SVG: node 1 on top, the others clockwise on a circle, edges as straight lines
 * with a head where they go one way. Opposite directions between two nodes bend apart.
 */

import { heading, pixel, standalone, text, themes } from "equitopo/internal/picture";
import type { GraphFigure } from "equitopo/outcome";

const [CELL, RADIUS, NODE, HEAD] = [160, 52, 11, 7];
const [EDGE, FILL, RIM] = ["#0072b2", "#f6e3b4", "#7a5200"];

type Point = readonly [x: number, y: number];

export function graphFigure({ title, graphs }: Pick<GraphFigure, "title" | "graphs">, most = 5 * CELL): string {
  const theme = themes.light;
  const across = Math.max(1, Math.min(Math.floor(most / CELL), graphs.length));
  const width = CELL * across;
  const head = heading(title, undefined, width, theme);
  const drawn = graphs.map((graph, k) => {
    const centre: Point = [
      ((k % across) + 0.5) * CELL,
      head.height + (Math.floor(k / across) + 0.5) * (CELL + 10) + 10,
    ];
    const label = text(graph.title, centre[0], centre[1] - RADIUS - NODE - 8, 13, theme.ink, "", "middle");
    return label + circle(graph, centre, theme.ink);
  });
  const height = head.height + Math.ceil(graphs.length / across) * (CELL + 10) + 10;
  return standalone(title, width, height, "light", head.svg + drawn.join(""));
}

function circle({ n, directed, edges }: GraphFigure["graphs"][number], [x, y]: Point, ink: string): string {
  const place = (i: number): Point => {
    const angle = (2 * Math.PI * i) / n;
    return [x + RADIUS * Math.sin(angle), y - RADIUS * Math.cos(angle)];
  };
  const has = new Set(edges.map(({ from, to }) => `${from} ${to}`));
  const lines = edges
    .filter(({ from, to }) => directed || from < to)
    .map(({ from, to }) => {
      const line = edge(place(from), place(to), directed, directed && has.has(`${to} ${from}`));
      // In the labels that are shown, from 1.
      return `<g data-edge="${from + 1}-${to + 1}">${line}</g>`;
    });
  const nodes = Array.from({ length: n }, (_, i) => {
    const [cx, cy] = place(i);
    const disc = `<circle cx="${pixel(cx)}" cy="${pixel(cy)}" r="${NODE}" fill="${FILL}" stroke="${RIM}" stroke-width="1"/>`;
    return disc + text(String(i + 1), cx, cy + 4, 12, ink, "", "middle");
  });
  return lines.join("") + nodes.join("");
}

/** From rim to rim, bent a little to one side where the way back is drawn, too. */
function edge([ax, ay]: Point, [bx, by]: Point, head: boolean, bent: boolean): string {
  const bend = bent ? 0.16 : 0;
  const middle: Point = [(ax + bx) / 2 - bend * (by - ay), (ay + by) / 2 + bend * (bx - ax)];
  const rim = ([px, py]: Point, extra: number): Point => {
    const length = Math.hypot(middle[0] - px, middle[1] - py);
    const share = (NODE + extra) / length;
    return [px + share * (middle[0] - px), py + share * (middle[1] - py)];
  };
  const [sx, sy] = rim([ax, ay], 1);
  const [ex, ey] = rim([bx, by], head ? 1 + HEAD : 1);
  const line = `<path d="M${pixel(sx)} ${pixel(sy)}Q${pixel(middle[0])} ${pixel(middle[1])} ${pixel(ex)} ${pixel(ey)}" fill="none" stroke="${EDGE}" stroke-width="1.8"/>`;
  if (!head) return line;
  const [tx, ty] = rim([bx, by], 1);
  const [dx, dy] = [(tx - ex) / HEAD, (ty - ey) / HEAD];
  const corner = (side: number) => `${pixel(ex - side * 4 * dy)} ${pixel(ey + side * 4 * dx)}`;
  return `${line}<path d="M${pixel(tx)} ${pixel(ty)}L${corner(1)}L${corner(-1)}Z" fill="${EDGE}"/>`;
}
