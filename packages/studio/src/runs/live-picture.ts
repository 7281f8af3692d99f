/** The peers of a network that is watched, and who talks to whom in one round. Pure but for the pen. */

import type { LivePeer } from "@equitopo/web";
import { type Paper, type Pen, type Places, placesOf, themes } from "equitopo/picture";
import type { Meetings } from "./meetings.ts";

export interface LivePicture {
  readonly meetings: Meetings;
  readonly peers: Readonly<Record<number, LivePeer>>;
  /** Updates done by the furthest ahead: who is behind it is paler. */
  readonly most: number;
}

const colours = { running: "#0072b2", ended: "#009e73", gone: "#d55e00" } as const;
/** Peers from this radius on have their number written on them. */
const LABELLED = 9;
/** So many updates behind, a peer is as pale as it gets. */
const FAR_BEHIND = 20;

export function drawLive(pen: Pen, paper: Paper, { meetings: { scene, edges }, peers, most }: LivePicture): void {
  const { ink, grid, on } = themes[paper.theme];
  const places = placesOf(scene, paper);
  pen.strokeStyle = ink;
  pen.globalAlpha = Math.max(0.12, Math.min(0.5, 40 / scene.n));
  pen.lineWidth = 1;
  pen.beginPath();
  for (let k = 0; k < edges.ends.length; k += 2) {
    for (const [a, control, b] of places.curves(edges.ends[k], edges.ends[k + 1])) {
      pen.moveTo(...a);
      pen.quadraticCurveTo(...control, ...b);
    }
  }
  pen.stroke();
  // Where there are more peers than pixels, one stands for its neighbours.
  for (let at = 0; at < scene.n; at += places.stretch) {
    const rank = Math.floor(at);
    const peer = peers[rank];
    pen.fillStyle = peer === undefined ? grid : on(colours[peer.state]);
    const behind = peer?.state === "running" ? Math.max(0, most - peer.round - 1) : 0;
    pen.globalAlpha = Math.max(0.3, 1 - behind / FAR_BEHIND);
    pen.beginPath();
    pen.arc(...places.at(rank), places.radius, 0, 2 * Math.PI);
    pen.fill();
  }
  pen.globalAlpha = 1;
  if (places.radius >= LABELLED) drawNumbers(pen, scene.n, places, themes[paper.theme].ground);
}

function drawNumbers(pen: Pen, n: number, { at, radius }: Places, colour: string): void {
  pen.fillStyle = colour;
  pen.font = `600 ${Math.round(radius)}px system-ui, sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  for (let rank = 0; rank < n; rank++) {
    const [x, y] = at(rank);
    pen.fillText(String(rank), x, y + 0.5);
  }
}
