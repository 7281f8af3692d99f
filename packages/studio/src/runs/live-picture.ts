/** The peers of a network that is watched, and who talks to whom in one round. Pure but for the pen. */

import type { LivePeer } from "@equitopo/web";
import { type Paper, type Pen, placesOf, themes } from "equitopo/picture";
import { drawNumbers, LABELLED, trace } from "../part/nodes.ts";
import type { Meetings } from "../work/meetings.ts";

export interface LivePicture {
  readonly meetings: Meetings;
  readonly peers: Readonly<Record<number, LivePeer>>;
  /** Updates done by the peer that is furthest ahead: those behind it are paler. */
  readonly most: number;
}

const colours = { running: "#0072b2", ended: "#009e73", gone: "#d55e00" } as const;
/** A peer that is so many updates behind has the palest colour. */
const FAR_BEHIND = 20;

export function drawLive(pen: Pen, paper: Paper, { meetings, peers, most }: LivePicture): void {
  const { ink, grid, ground, on } = themes[paper.theme];
  const { edges } = meetings;
  const n = meetings.layout.x.length;
  const places = placesOf(meetings, paper);
  pen.strokeStyle = ink;
  pen.globalAlpha = Math.max(0.12, Math.min(0.5, 40 / n));
  pen.lineWidth = 1;
  pen.beginPath();
  for (let k = 0; k < edges.ends.length; k += 2) trace(pen, places, edges.ends[k], edges.ends[k + 1]);
  pen.stroke();
  // Where there are more peers than pixels, one stands for its neighbours.
  for (let at = 0; at < n; at += places.stretch) {
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
  if (places.radius < LABELLED) return;
  drawNumbers(pen, places, Array(n).keys(), ground, `600 ${Math.round(places.radius)}px system-ui, sans-serif`);
}
