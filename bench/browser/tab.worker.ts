/** The worker of a tab: a peer with its links, and the bare channels beside them; does blocks of rounds on request. */

/// <reference lib="dom" />

import { dialSocket, type Fingerprints, introduce, LinkTransport, openChannel, specHash } from "@equitopo/web/internal";
import { Bare, type Block, Loops, n, vectorBytes } from "./loops.ts";
import type { FromWindow } from "./tab.ts";

interface Job {
  readonly rank: number;
  readonly mode: "rtc" | "websocket";
  readonly control: string;
  readonly key: number[];
  readonly tabs: number[];
  /** Where Node peers listen: for links, and for bare sockets. */
  readonly listen: Readonly<Record<number, { readonly ours: string; readonly bare: string }>>;
}

const spec = "bench";
const bare = new Map<number, Bare>();
const known = new Map<string, (fingerprints: Fingerprints) => void>();
let job: Job;
let transport: LinkTransport;
let missing = 0;

function arrived(): void {
  if (--missing === 0) serve();
}

function begin(text: string): void {
  job = JSON.parse(text);
  transport = new LinkTransport({ rank: job.rank, size: n, spec, maxBytes: vectorBytes });
  const listeners = Object.entries(job.listen);
  missing = 2 * (job.mode === "rtc" ? job.tabs.length - 1 : listeners.length);
  if (job.mode === "rtc") return;
  for (const [peer, { ours, bare }] of listeners) {
    void dialOurs(Number(peer), ours);
    dialBare(Number(peer), bare);
  }
}

const identity = (peer: number) =>
  ({ rank: job.rank, size: n, peer, spec: specHash(spec), key: Uint8Array.from(job.key) }) as const;

async function dialOurs(peer: number, address: string): Promise<void> {
  const { link } = await dialSocket(address, identity(peer));
  transport.attach(peer, link);
  arrived();
}

function dialBare(peer: number, address: string): void {
  const socket = new WebSocket(`${address}?rank=${job.rank}`);
  socket.binaryType = "arraybuffer";
  const way = new Bare((bytes) => socket.send(bytes));
  bare.set(peer, way);
  socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => way.arrive(new Uint8Array(data));
  socket.onopen = arrived;
}

async function takeChannel(peer: number, use: string, channel: RTCDataChannel): Promise<void> {
  if (use === "bare") {
    channel.binaryType = "arraybuffer";
    const way = new Bare((bytes) => channel.send(bytes));
    bare.set(peer, way);
    channel.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => way.arrive(new Uint8Array(data));
    channel.onopen = arrived;
    return;
  }
  const fingerprints = new Promise<Fingerprints>((resolve) => known.set(`${peer} ${use}`, resolve));
  const role = job.rank < peer ? "dialler" : "listener";
  const opened = await openChannel(channel, 30_000);
  const options = { ...identity(peer), mode: "rtc", role, fingerprints: await fingerprints } as const;
  transport.attach(peer, (await introduce(opened, options)).link);
  arrived();
}

/** Everything is connected: says so, and does what the bench says. */
function serve(): void {
  const loops = new Loops(job.rank, transport, bare);
  const socket = new WebSocket(`${job.control}?worker=${job.rank}`);
  socket.onmessage = async ({ data }: MessageEvent<string>) => {
    const block = JSON.parse(data) as Block;
    socket.send(JSON.stringify(await loops.run(block)));
  };
}

addEventListener("message", ({ data }: MessageEvent<FromWindow>) => {
  if ("job" in data) begin(data.job);
  else if ("channel" in data) void takeChannel(data.peer, data.use, data.channel);
  else known.get(`${data.peer} ${data.use}`)?.(data.fingerprints);
});
