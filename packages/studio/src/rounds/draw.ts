/**
 * A round as a picture: nodes where the topology has them, coloured by value, and who sends to whom. A mark that stands for
 * several nodes shows the one that is furthest from the mean. All marks of one colour are one path, so that 10,000 nodes
 * take some forty calls of fill.
 */

import { along, type Paper, type Pen, type Places, placesOf, themes } from "equitopo/internal/picture";
import { SHADES, shadeColour, shadeOf } from "../part/colour.ts";
import { disc, drawNumbers, LABELLED, trace } from "../part/nodes.ts";
import { BUSY, DOWN, type Frame } from "../work/frame.ts";

export interface Look {
  /** How much of the round is over: messages are on their way between 0 and 1. */
  readonly phase: number;
  /** Colours measure against the start, or against what is left now. */
  readonly contrast: "start" | "now";
}

/** With more edges than this: straight lines, and no messages in flight. */
const FEW_EDGES = 400;
const ARROWS = 130;

type Sheet = { pen: Pen; paper: Paper; frame: Frame; places: Places };

/** Colours that the page has as well: accent and warning. */
const accents = {
  light: { accent: "#0067a0", warn: "#c04a00", edge: "#8a929c" },
  dark: { accent: "#66b3de", warn: "#f0a26b", edge: "#6d7681" },
};

export function drawNetwork(pen: Pen, paper: Paper, frame: Frame, look: Look): void {
  const sheet = { pen, paper, frame, places: placesOf(frame, paper) };
  drawEdges(sheet);
  drawInspected(sheet);
  if (look.phase > 0 && look.phase < 1 && frame.edges.all <= FEW_EDGES) drawFlights(sheet, look.phase);
  drawNodes(sheet, look.contrast);
}

function drawEdges(sheet: Sheet): void {
  const { pen, paper, frame, places } = sheet;
  const { ends, dropped } = frame.edges;
  const few = dropped.length <= FEW_EDGES;
  const { edge, warn } = accents[paper.theme];
  const crowd = Math.min(1, Math.max(0.16, 12 / Math.sqrt(Math.max(1, dropped.length))));
  for (const gone of [0, 1]) {
    pen.beginPath();
    for (let k = 0; k < dropped.length; k++) {
      if (dropped[k] === gone) trace(pen, places, ends[2 * k], ends[2 * k + 1], few);
    }
    pen.strokeStyle = gone === 1 ? warn : edge;
    pen.globalAlpha = gone === 1 ? Math.min(1, 2 * crowd) : crowd;
    pen.lineWidth = Math.max(0.6, Math.min(1.8, places.radius / 4));
    pen.setLineDash(gone === 1 ? [3, 4] : []);
    pen.stroke();
  }
  pen.setLineDash([]);
  pen.globalAlpha = 1;
  if (!frame.symmetric && dropped.length <= ARROWS) drawArrows(sheet, edge);
}

function drawArrows({ pen, frame, places }: Sheet, colour: string): void {
  const { ends, dropped } = frame.edges;
  const size = Math.max(4, Math.min(8, 0.7 * places.radius));
  pen.fillStyle = colour;
  pen.beginPath();
  for (let k = 0; k < dropped.length; k++) {
    if (dropped[k] === 1) continue;
    const [curve] = places.curves(ends[2 * k], ends[2 * k + 1]);
    const length = Math.hypot(curve[2][0] - curve[0][0], curve[2][1] - curve[0][1]);
    const [x, y] = along(curve, Math.max(0.5, 1 - (places.radius + 2) / length));
    const angle = Math.atan2(curve[2][1] - curve[1][1], curve[2][0] - curve[1][0]);
    const corner = (turn: number) => [x - size * Math.cos(angle + turn), y - size * Math.sin(angle + turn)] as const;
    pen.moveTo(x, y);
    pen.lineTo(...corner(0.45));
    pen.lineTo(...corner(-0.45));
    pen.closePath();
  }
  pen.fill();
}

/** Messages on their way; dropped ones get halfway. */
function drawFlights({ pen, paper, frame, places }: Sheet, phase: number): void {
  const { ends, dropped } = frame.edges;
  const size = Math.max(1.5, Math.min(4, 0.35 * places.radius));
  pen.fillStyle = themes[paper.theme].ink;
  pen.beginPath();
  for (let k = 0; k < dropped.length; k++) {
    if (dropped[k] === 1 && phase > 0.5) continue;
    const curves = places.curves(ends[2 * k], ends[2 * k + 1]);
    for (const share of frame.symmetric ? [phase, 1 - phase] : [phase]) {
      const [x, y] = along(curves[0], share);
      disc(pen, x, y, size);
    }
  }
  pen.fill();
}

/** The shade of each mark: that of its node furthest from the mean. */
function marksByShade({ frame, places }: Sheet, contrast: Look["contrast"]): number[][] {
  const { n, values, mean, meanNow, error, firstError } = frame;
  const middle = contrast === "start" ? mean : meanNow;
  const spread = (1.8 * (contrast === "start" ? firstError : error)) / Math.sqrt(n);
  const byShade: number[][] = Array.from({ length: SHADES }, () => []);
  for (let first = 0; first < n; first += places.stretch) {
    let node = Math.floor(first);
    for (let i = node + 1; i < Math.min(n, first + places.stretch); i++) {
      if (Math.abs(values[i] - middle) > Math.abs(values[node] - middle)) node = i;
    }
    byShade[shadeOf(values[node] - middle, spread)].push(node);
  }
  return byShade;
}

function drawNodes(sheet: Sheet, contrast: Look["contrast"]): void {
  const { pen, paper, frame, places } = sheet;
  const { radius, centre, reach } = places;
  const { status } = frame;
  // Too many nodes for discs on a circle: bars across its line, so that their colours can be seen.
  const bars = frame.layout.shape === "circle" && radius < 2.5;
  const [inner, outer] = [1 - 7 / reach, 1 + 7 / reach];
  for (const [shade, nodes] of marksByShade(sheet, contrast).entries()) {
    if (nodes.length === 0) continue;
    pen.fillStyle = shadeColour(shade);
    pen.strokeStyle = pen.fillStyle;
    pen.beginPath();
    for (const node of nodes) {
      if (status[node] === DOWN) continue;
      const [x, y] = places.at(node);
      const size = status[node] === BUSY ? radius : 0.62 * radius;
      if (bars) {
        const [dx, dy] = [x - centre[0], y - centre[1]];
        pen.moveTo(centre[0] + inner * dx, centre[1] + inner * dy);
        pen.lineTo(centre[0] + outer * dx, centre[1] + outer * dy);
      } else if (radius < 2.5) pen.rect(x - size, y - size, 2 * size, 2 * size);
      else disc(pen, x, y, size);
    }
    if (bars) {
      pen.lineWidth = Math.max(1.6, 2 * radius);
      pen.stroke();
    } else pen.fill();
    if (radius >= 4) {
      pen.strokeStyle = paper.theme === "light" ? "#00000059" : "#ffffff40";
      pen.lineWidth = 1;
      pen.stroke();
    }
  }
  drawDown(sheet);
  if (radius < LABELLED) return;
  const busy = Array.from(status.keys()).filter((node) => status[node] === BUSY);
  drawNumbers(pen, places, busy, "#1a1a1a", `${Math.round(0.95 * radius)}px system-ui, sans-serif`);
}

/** A node that is down is empty and crossed out. */
function drawDown({ pen, paper, frame, places }: Sheet): void {
  if (frame.down === 0) return;
  const size = Math.max(3, places.radius);
  pen.beginPath();
  for (let i = 0; i < frame.n; i++) {
    if (frame.status[i] !== DOWN) continue;
    const [x, y] = places.at(i);
    const half = 0.6 * size;
    disc(pen, x, y, size);
    pen.moveTo(x - half, y - half);
    pen.lineTo(x + half, y + half);
    pen.moveTo(x - half, y + half);
    pen.lineTo(x + half, y - half);
  }
  pen.fillStyle = themes[paper.theme].ground;
  pen.fill();
  pen.strokeStyle = accents[paper.theme].warn;
  pen.lineWidth = 1.6;
  pen.stroke();
}

function drawInspected({ pen, paper, frame: { inspected }, places }: Sheet): void {
  if (inspected === undefined) return;
  const { node, from, to } = inspected;
  pen.strokeStyle = accents[paper.theme].accent;
  pen.lineWidth = 2.5;
  pen.beginPath();
  for (const partner of from) if (partner.arrives) trace(pen, places, partner.node, node);
  for (const partner of to) if (partner.arrives) trace(pen, places, node, partner.node);
  disc(pen, ...places.at(node), Math.max(7, places.radius + 3));
  pen.stroke();
}
