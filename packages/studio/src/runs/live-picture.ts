/** The peers of a network that is watched, on a circle, and the edges of one round. Pure but for the pen. */

import type { LivePeer } from "@equitopo/web";
import { themes } from "equitopo/picture";
import type { Pen } from "../part/pen.ts";
import type { Paper } from "../part/picture.ts";
import type { Edges } from "./edges.ts";

export interface LivePicture {
  readonly n: number;
  readonly peers: Readonly<Record<number, LivePeer>>;
  readonly edges: Edges | undefined;
  /** Updates done by the furthest ahead: who is behind it is paler. */
  readonly most: number;
}

const colours = { running: "#0072b2", ended: "#009e73", gone: "#d55e00" } as const;

export function drawLive({ n, peers, edges, most }: LivePicture, pen: Pen, { width, height, theme }: Paper): void {
  const { ink, grid, on } = themes[theme];
  const [cx, cy, radius] = [width / 2, height / 2, Math.min(width, height) / 2 - 14];
  const at = (rank: number) => {
    const angle = (2 * Math.PI * rank) / n - Math.PI / 2;
    return [cx + radius * Math.cos(angle), cy + radius * Math.sin(angle)] as const;
  };
  pen.strokeStyle = ink;
  pen.globalAlpha = Math.max(0.12, Math.min(0.5, 40 / n));
  pen.lineWidth = 1;
  pen.beginPath();
  for (let k = 0; k < (edges?.ends.length ?? 0); k += 2) {
    pen.moveTo(...at(edges!.ends[k]));
    pen.lineTo(...at(edges!.ends[k + 1]));
  }
  pen.stroke();
  const size = Math.max(1, Math.min(7, (2 * Math.PI * radius) / n / 3));
  for (let rank = 0; rank < n; rank++) {
    const peer = peers[rank];
    pen.fillStyle = peer === undefined ? grid : on(colours[peer.state]);
    const behind = peer === undefined || peer.state !== "running" ? 0 : Math.max(0, most - peer.round - 1);
    pen.globalAlpha = Math.max(0.3, 1 - behind / 20);
    pen.beginPath();
    pen.arc(...at(rank), size, 0, 2 * Math.PI);
    pen.fill();
  }
  pen.globalAlpha = 1;
}
