/** What pictures of networks have in common: dots, the lines between them, and numbers on dots that are large enough. */

import type { Pen, Places } from "equitopo/picture";

/** Nodes from this radius on have their number written on them. */
export const LABELLED = 9;

export function disc(pen: Pen, x: number, y: number, radius: number): void {
  pen.moveTo(x + radius, y);
  pen.arc(x, y, radius, 0, 2 * Math.PI);
}

/** Adds the line between two nodes to the path, in all its pieces. */
export function trace(pen: Pen, places: Places, from: number, to: number, isCurved = true): void {
  for (const [a, control, b] of places.curves(from, to)) {
    pen.moveTo(...a);
    if (isCurved) pen.quadraticCurveTo(...control, ...b);
    else pen.lineTo(...b);
  }
}

/** The numbers of these nodes, in the font that begins with a weight or nothing. */
export function drawNumbers(pen: Pen, { at }: Places, nodes: Iterable<number>, colour: string, font: string): void {
  pen.fillStyle = colour;
  pen.font = font;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  for (const node of nodes) {
    const [x, y] = at(node);
    pen.fillText(String(node), x, y + 0.5);
  }
}
