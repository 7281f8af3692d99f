/**
 * The window of a tab: makes two WebRTC connections with every other tab, one for the bare loop and one for the transport,
 * and gives their channels to the worker, which does the rest. Signals go through the bench's own socket.
 */

/// <reference lib="dom" />
/// <reference types="vite/client" />

import { browserRtc, Connection, type Fingerprints } from "@equitopo/web";
import TabWorker from "./tab.worker.ts?worker&inline";

/** What the bench's socket carries between two windows. */
interface Signal {
  readonly from: number;
  readonly to: number;
  readonly use: string;
  readonly signal: string;
}

export type FromWindow =
  | { readonly job: string }
  | { readonly peer: number; readonly use: string; readonly channel: RTCDataChannel }
  | { readonly peer: number; readonly use: string; readonly fingerprints: Fingerprints };

/** { rank, mode, control: address of the socket, tabs: their ranks, listen: addresses of Node peers by rank }. */
const job = decodeURIComponent(location.hash.slice(1));
const { rank, mode, control, tabs } = JSON.parse(job) as {
  rank: number;
  mode: string;
  control: string;
  tabs: number[];
};
const worker = new TabWorker();
worker.postMessage({ job } satisfies FromWindow);
const uses = ["bare", "ours"];
const connections = new Map<string, Connection>();
const socket = new WebSocket(`${control}?window=${rank}`);

function connect(peer: number, use: string): void {
  const { engine, channel } = browserRtc();
  worker.postMessage({ peer, use, channel } satisfies FromWindow, [channel]);
  const connection = new Connection({
    engine,
    role: rank < peer ? "dialler" : "listener",
    send: (signal) => socket.send(JSON.stringify({ from: rank, to: peer, use, signal } satisfies Signal)),
  });
  connections.set(`${peer} ${use}`, connection);
  void connection.fingerprints.then((fingerprints) =>
    worker.postMessage({ peer, use, fingerprints } satisfies FromWindow),
  );
}

socket.onmessage = ({ data }: MessageEvent<string>) => {
  // The bench's first word: all windows are there.
  if (data === "connect") {
    const others = mode === "rtc" ? tabs.filter((peer) => peer !== rank) : [];
    for (const peer of others) for (const use of uses) connect(peer, use);
    return;
  }
  const { from, use, signal } = JSON.parse(data) as Signal;
  connections.get(`${from} ${use}`)?.signal(signal);
};
