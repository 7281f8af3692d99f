/**
 * The plane as a picture: regions tinted by the class that the looked-at model gives them, its boundary as a strong line,
 * every node's boundary as a thin one in the colour of the class that the node holds most of, and the points. Thin lines
 * that lie together are nodes that agree.
 */

import { mix, type Paper, type Pen, themes } from "equitopo/internal/picture";
import { surface } from "../work/learning/contour.ts";
import type { Learnt, Scene } from "../work/learning/frame.ts";

/** Classes have colours of their own, none of them a topology's, and marks for those who see no colours. */
const colours = ["#4477aa", "#ee6677", "#228833", "#bb9900"] as const;

export function classColour(label: number, theme: "light" | "dark"): string {
  return theme === "dark" ? mix(colours[label], "#ffffff", 0.25) : colours[label];
}

export interface PlanePicture {
  readonly scene: Scene;
  readonly learnt: Learnt;
  readonly leanings: Uint8Array;
  readonly node: number | undefined;
}

/** The class that each of n nodes holds most points of. */
export function leaningsOf({ labels, owners, classes }: Scene, n: number): Uint8Array {
  const counts = new Float64Array(n * classes);
  labels.forEach((label, k) => {
    counts[owners[k] * classes + label]++;
  });
  return Uint8Array.from({ length: n }, (_, i) => {
    const row = counts.subarray(i * classes, (i + 1) * classes);
    return row.indexOf(Math.max(...row));
  });
}

/** Where a point of the plane is on paper, and back. */
const across = (x: number, width: number) => ((x + surface.reach) / (2 * surface.reach)) * width;
const down = (y: number, height: number) => ((surface.reach - y) / (2 * surface.reach)) * height;

/** The owner of the point nearest to a place on paper; undefined where none is near. */
export function ownerAt({ points, owners }: Scene, x: number, y: number, { width, height }: Paper): number | undefined {
  const distances = Array.from(owners, (_, k) =>
    Math.hypot(across(points[2 * k], width) - x, down(points[2 * k + 1], height) - y),
  );
  const least = Math.min(...distances);
  return least < 18 ? owners[distances.indexOf(least)] : undefined;
}

export function drawPlane(pen: Pen, paper: Paper, picture: PlanePicture): void {
  const { ground, ink } = themes[paper.theme];
  pen.globalAlpha = 1;
  pen.fillStyle = ground;
  pen.fillRect(0, 0, paper.width, paper.height);
  drawRegions(pen, paper, picture.learnt);
  drawPoints(pen, paper, picture);
  drawLines(pen, paper, picture);
  pen.globalAlpha = 1;
  pen.strokeStyle = ink;
  pen.lineWidth = 2.5;
  pen.setLineDash([]);
  strokeLine(pen, paper, picture.learnt.line);
}

/** Shades of how sure the model is: its lead over the next class. */
const shades = [0.08, 0.15, 0.24];
const shadeOf = (lead: number) => (lead < 0.7 ? 0 : lead < 2.5 ? 1 : 2);

/** Cells of a row that look alike are one rectangle. */
function drawRegions(pen: Pen, { width, height, theme }: Paper, { verdict: { classes, leads } }: Learnt): void {
  const { size } = surface;
  const [w, h] = [width / (size - 1), height / (size - 1)];
  for (let row = 0; row < size; row++) {
    for (let from = 0; from < size; ) {
      const at = row * size + from;
      const shade = shadeOf(leads[at]);
      let to = from + 1;
      while (to < size && classes[row * size + to] === classes[at] && shadeOf(leads[row * size + to]) === shade) to++;
      pen.globalAlpha = shades[shade];
      pen.fillStyle = classColour(classes[at], theme);
      // Whole pixels, or seams show between translucent rectangles.
      const [left, right] = [Math.round((from - 0.5) * w), Math.round((to - 0.5) * w)];
      const [top, bottom] = [Math.round(height - (row + 0.5) * h), Math.round(height - (row - 0.5) * h)];
      pen.fillRect(left, top, right - left, bottom - top);
      from = to;
    }
  }
}

/** Circles, squares, triangles, diamonds. */
const marks: readonly ((pen: Pen, x: number, y: number, r: number) => void)[] = [
  (pen, x, y, r) => pen.arc(x, y, r, 0, 2 * Math.PI),
  (pen, x, y, r) => pen.rect(x - r, y - r, 2 * r, 2 * r),
  (pen, x, y, r) => polygon(pen, [x, y - 1.3 * r, x + 1.2 * r, y + 0.9 * r, x - 1.2 * r, y + 0.9 * r]),
  (pen, x, y, r) => polygon(pen, [x, y - 1.4 * r, x + 1.4 * r, y, x, y + 1.4 * r, x - 1.4 * r, y]),
];

function polygon(pen: Pen, corners: readonly number[]): void {
  pen.moveTo(corners[0], corners[1]);
  for (let k = 2; k < corners.length; k += 2) pen.lineTo(corners[k], corners[k + 1]);
  pen.closePath();
}

function drawPoints(pen: Pen, { width, height, theme }: Paper, { scene, node }: PlanePicture): void {
  const { points, labels, owners } = scene;
  const r = Math.max(2, width / 170);
  for (const own of node === undefined ? [true] : [false, true]) {
    labels.forEach((label, k) => {
      if (node !== undefined && (owners[k] === node) !== own) return;
      pen.globalAlpha = own ? 0.85 : 0.18;
      pen.fillStyle = classColour(label, theme);
      const bold = own && node !== undefined ? 1.6 : 1;
      pen.beginPath();
      marks[label](pen, across(points[2 * k], width), down(points[2 * k + 1], height), bold * r);
      pen.fill();
    });
  }
}

function drawLines(pen: Pen, paper: Paper, { learnt, leanings, node }: PlanePicture): void {
  pen.lineWidth = 1.25;
  learnt.lines.forEach((line, k) => {
    pen.globalAlpha = node === undefined ? 0.65 : k === node ? 1 : 0.25;
    pen.strokeStyle = classColour(leanings[k], paper.theme);
    strokeLine(pen, paper, line);
  });
}

function strokeLine(pen: Pen, { width, height }: Paper, line: Float32Array): void {
  pen.beginPath();
  for (let at = 0; at < line.length; at += 4) {
    pen.moveTo(across(line[at], width), down(line[at + 1], height));
    pen.lineTo(across(line[at + 2], width), down(line[at + 3], height));
  }
  pen.stroke();
}
