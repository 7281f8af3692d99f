/**
 * The complex plane as a picture: the unit circle, the eigenvalues, and three more circles: the rate, the paper's bound above
 * it, and the smallest rate that a circulant of that degree can have. Eigenvalues that fall on one pixel are one mark.
 */

import { themes } from "./palette.ts";
import type { Paper, Pen } from "./pen.ts";

export interface Disc {
  /** The eigenvalue 1 of consensus first. */
  readonly re: Float64Array;
  readonly im: Float64Array;
  /** The largest share of any disagreement that is left: the rate of a round, the norm of a period. */
  readonly most: number;
  readonly mostName: string;
  readonly bound: number | null;
  readonly floor: number | undefined;
  /** The topology's colour. */
  readonly colour: string;
}

const MARGIN = 34;

/** The place of a number on paper. */
export function placeOf(re: number, im: number, { width, height }: Pick<Paper, "width" | "height">) {
  const radius = Math.min(width, height) / 2 - MARGIN;
  return { x: width / 2 + re * radius, y: height / 2 - im * radius, radius };
}

export function drawDisc(pen: Pen, paper: Paper, disc: Disc): void {
  const { ground, ink, quiet, grid, on } = themes[paper.theme];
  const { width, height } = paper;
  const { x: cx, y: cy, radius } = placeOf(0, 0, paper);
  const around = (r: number) => {
    pen.beginPath();
    pen.arc(cx, cy, r * radius, 0, 2 * Math.PI);
  };
  const circle = (r: number, colour: string, line: number, dashes: number[]) => {
    pen.strokeStyle = colour;
    pen.lineWidth = line;
    pen.setLineDash(dashes);
    around(r);
    pen.stroke();
    pen.setLineDash([]);
  };
  Object.assign(pen, { globalAlpha: 1, fillStyle: ground, strokeStyle: grid, lineWidth: 1 });
  pen.fillRect(0, 0, width, height);
  pen.beginPath();
  for (const [x, y] of [
    [1.08 * radius, 0],
    [0, 1.08 * radius],
  ]) {
    pen.moveTo(cx - x, cy - y);
    pen.lineTo(cx + x, cy + y);
  }
  pen.stroke();
  circle(1, quiet, 1, []);
  const colour = on(disc.colour);
  // Everything inside the circle of the rate shrinks at least by it.
  pen.fillStyle = colour;
  pen.globalAlpha = 0.1;
  around(disc.most);
  pen.fill();
  pen.globalAlpha = 1;
  circle(disc.most, colour, 2, []);
  if (disc.bound !== null && disc.bound < 1) circle(disc.bound, ink, 1.5, [8, 5]);
  if (disc.floor !== undefined) circle(disc.floor, quiet, 1.5, [2, 4]);
  drawMarks(pen, paper, disc, ink);
  drawNames(pen, paper, disc, colour);
}

/**
 * Above this number, eigenvalues within one square of this side are one mark, so that a picture of millions is still a small
 * file.
 */
const [MANY, SQUARE] = [20_000, 3];

/** The eigenvalues that have a mark, beside that of consensus: the first on each pixel. O(n). */
export function discMarks({ re, im }: Pick<Disc, "re" | "im">, paper: Pick<Paper, "width" | "height">): number[] {
  const side = re.length > MANY ? SQUARE : 1;
  const taken = new Set<number>();
  const marks: number[] = [];
  for (let k = 1; k < re.length; k++) {
    const { x, y } = placeOf(re[k], im[k], paper);
    const pixel = Math.round(x / side) * 100_000 + Math.round(y / side);
    if (taken.has(pixel)) continue;
    taken.add(pixel);
    marks.push(k);
  }
  return marks;
}

function drawMarks(pen: Pen, paper: Paper, disc: Disc, ink: string): void {
  const { re, im } = disc;
  const size = re.length > 3000 ? 1.2 : re.length > 400 ? 1.8 : 3;
  pen.fillStyle = ink;
  pen.globalAlpha = re.length > 400 ? 0.7 : 0.85;
  pen.beginPath();
  for (const k of discMarks(disc, paper)) {
    const { x, y } = placeOf(re[k], im[k], paper);
    // Squares of this size look round, and take a quarter of the bytes.
    if (size < 2) pen.rect(x - size, y - size, 2 * size, 2 * size);
    else {
      pen.moveTo(x + size, y);
      pen.arc(x, y, size, 0, 2 * Math.PI);
    }
  }
  pen.fill();
  pen.globalAlpha = 1;
  const one = placeOf(1, 0, paper);
  pen.strokeStyle = ink;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.arc(one.x, one.y, 5, 0, 2 * Math.PI);
  pen.stroke();
}

/** Each circle's name at its top, the outer ones further to the right, so that they do not cover each other. */
function drawNames(pen: Pen, paper: Paper, disc: Disc, colour: string): void {
  const { ink, quiet } = themes[paper.theme];
  const { most, mostName, bound, floor } = disc;
  pen.font = "13px system-ui, sans-serif";
  pen.textBaseline = "bottom";
  const name = (text: string, r: number, angle: number, look: string) => {
    const { x, y } = placeOf(r * Math.cos(angle), r * Math.sin(angle), paper);
    pen.fillStyle = look;
    pen.textAlign = angle > Math.PI / 2 ? "right" : "left";
    pen.fillText(text, x + (angle > Math.PI / 2 ? -4 : 4), y - 3);
  };
  name("1", 1, 0.02, quiet);
  name(mostName, most, 1.1, colour);
  if (bound !== null && bound < 1) name("bound", bound, 0.8, ink);
  if (floor !== undefined) name("floor", floor, 2.2, quiet);
}
