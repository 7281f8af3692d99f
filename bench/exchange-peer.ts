/** One peer of bench/exchange: the loop over the transport, or the bare loop on the same engine. */

import net from "node:net";
import tls from "node:tls";
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { loadAddon, MpiTransport } from "@equitopo/mpi/internal";
import { type Board, TcpTransport, ThreadTransport } from "@equitopo/node";
import { dEquiStatic, odEquiDyn, type Rows, type Topology } from "equitopo";
import { combine, Mixing, Spare, type Transport } from "equitopo/internal/peer";
import { type Where, whereIn } from "./exchange-where.ts";

export interface Job {
  readonly engine: "threads" | "tcp" | "tls" | "mpi";
  readonly mode: "bare" | "peers";
  readonly n: number;
  readonly sizes: readonly number[];
  /** Whether to say where the time of a round goes. */
  readonly where?: boolean;
}

export interface Line {
  readonly size: number;
  /** exchange: bytes there and back; round: with the averaging; static: a D-EquiStatic round; averaging: alone, on warm rows. */
  readonly what: "exchange" | "round" | "static" | "averaging";
  readonly ms: number;
  readonly where?: Where;
  /** Memory that a peer has in use because of this size, in vectors; of long ones only, where nothing else counts. */
  readonly vectors?: number;
}

type Placed = Job & { rank: number; tls?: { ca: string; cert: string; key: string } };

/** Rounds in a block, so that a block takes a few tenths of a second on a small machine. */
function roundsFor(n: number, size: number): number {
  const few = n > 8;
  if (size <= 1000) return few ? 300 : 1500;
  if (size <= 100_000) return few ? 40 : 200;
  if (size <= 2_000_000) return few ? 8 : 20;
  return 2;
}

/** The best of three blocks, milliseconds a round. */
async function measure(n: number, size: number, round: (t: number) => Promise<void> | void): Promise<number> {
  const rounds = roundsFor(n, size);
  let least = Number.POSITIVE_INFINITY;
  let t = 0;
  // Small rounds are as fast as the code is warm, and each peer's engine has to warm up for itself, on cores that it shares.
  const warm = size <= 1000 ? 12_000 : size <= 100_000 ? 10 * rounds : Math.min(rounds, 20);
  for (; t < warm; t++) await round(t);
  for (let block = 0; block < 3; block++) {
    const start = performance.now();
    for (let k = 0; k < rounds; k++) await round(t++);
    least = Math.min(least, (performance.now() - start) / rounds);
  }
  return least;
}

function say(job: Placed, line: Line): void {
  if (job.rank !== 0) return;
  if (parentPort !== null) parentPort.postMessage(line);
  else if (process.send !== undefined) process.send(line);
  else process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** y = (x + z) / 2: what a round does with what came. */
function averaging(y: Float32Array, x: Float32Array, z: Float32Array): void {
  combine(y, 0.5, x, [0.5], [z]);
}

async function runPeers(job: Placed, transport: Transport): Promise<void> {
  const { n, sizes } = job;
  let round = 0;
  const run = async (topology: Topology, size: number, what: Line["what"]): Promise<void> => {
    const mixing = new Mixing({ transport, topology, timeout: 120_000 });
    const before = process.memoryUsage.rss();
    let row: Rows = new Float32Array(size).fill(job.rank);
    const one = async (t: number) => {
      [row] = await mixing.finish(mixing.start({ vectors: [row] }, { round: t, exchange: t }, round++));
    };
    const ms = await measure(n, size, one);
    const used = (process.memoryUsage.rss() - before) / (4 * size * (job.engine === "threads" ? n : 1));
    const memory = size >= 10_000_000 ? { vectors: used } : {};
    const rounds = 5 * roundsFor(n, size);
    const many = async () => {
      for (let t = 0; t < rounds; t++) await one(t);
    };
    if (job.where !== true) say(job, { size, what, ms, ...memory });
    else if (job.rank === 0) say(job, { size, what, ms, ...memory, where: await whereIn(rounds, many) });
    else await many();
  };
  for (const size of sizes) await run(odEquiDyn({ n, seed: 1 }), size, "round");
  if (n > 8) {
    const graph = dEquiStatic({ n, m: 4, seed: 1 });
    for (const size of sizes) if (size > 1 && size <= 1_000_000) await run(graph, size, "static");
  }
  const spare = new Spare();
  for (const size of job.rank === 0 && job.where === true ? sizes : []) {
    const [x, y, z] = Array.from({ length: 3 }, () => spare.take("float32", size).fill(1) as Float32Array);
    const ms = await measure(n, size, () => averaging(y, x, z));
    say(job, { size, what: "averaging", ms });
    for (const row of [x, y, z]) spare.give(row);
  }
  await transport.close();
}

function bareThreads(job: Placed & { flags: SharedArrayBuffer; rows: SharedArrayBuffer[] }): Promise<void> {
  const { n, rank, sizes } = job;
  const words = new Int32Array(job.flags);
  const [posted, done] = [(i: number) => 32 * i, (i: number) => 32 * i + 16];
  const graph = odEquiDyn({ n, seed: 1 });
  const raise = (place: number, value: number) => {
    Atomics.store(words, place, value);
    Atomics.notify(words, place);
  };
  const reach = (place: number, value: number) => {
    for (let now = Atomics.load(words, place); now < value; now = Atomics.load(words, place))
      Atomics.wait(words, place, now);
  };
  let total = 0;
  return (async () => {
    for (const size of sizes) {
      const local = new Float32Array(size);
      const rows = job.rows.map((memory) => new Float32Array(memory, 0, size));
      // Memory never written is one page of zeros, however long: no copy of it would be a fair measure.
      for (const row of [rows[2 * rank], rows[2 * rank + 1]]) row.fill(rank);
      for (const what of ["exchange", "round"] as const) {
        const ms = await measure(n, size, () => {
          const parity = total & 1;
          const from = graph.peers(total, rank).from[0].node;
          const before = total === 0 ? rank : graph.peers(total - 1, rank).to[0].node;
          raise(posted(rank), ++total);
          reach(posted(from), total);
          local.set(rows[2 * from + parity]);
          raise(done(rank), total);
          // The row of the round before is free to be written once its reader is done with it.
          reach(done(before), total - 1);
          if (what === "round") averaging(rows[2 * rank + 1 - parity], rows[2 * rank + parity], local);
        });
        say(job, { size, what, ms });
      }
    }
  })();
}

/** A socket from everyone to everyone, of node:tls if there are certificates; a vector is so many bytes, nothing more. */
async function bareTcp(job: Placed): Promise<void> {
  const { n, rank, sizes, tls: files } = job;
  const server = files === undefined ? net.createServer() : tls.createServer({ ...files, minVersion: "TLSv1.3" });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const graph = odEquiDyn({ n, seed: 1 });
  const outgoing: net.Socket[] = [];
  const dialled = new Promise<void>((resolve) => {
    server.on(files === undefined ? "connection" : "secureConnection", (socket: net.Socket) => {
      socket.setNoDelay(true);
      socket.on("error", () => {});
      socket.once("data", (name) => {
        outgoing[name[0]] = socket;
        if (outgoing.filter(Boolean).length === n - 1) resolve();
      });
    });
  });
  const ports = await exchangePorts((server.address() as net.AddressInfo).port);
  let target = new Uint8Array(1);
  let filled = 0;
  let full: () => void = () => {};
  const onread = {
    buffer: () => target.subarray(filled % target.length),
    callback: (count: number) => {
      filled += count;
      if (filled < target.length) return true;
      full();
      return false;
    },
  };
  // What comes for a later round stays in the socket until it is that one's turn to be read; of TLS, what is in a record.
  const incoming = ports.map((port, peer) => {
    if (peer === rank) return undefined;
    const to = { port, host: "127.0.0.1", onread };
    const socket =
      files === undefined
        ? net.connect(to)
        : tls.connect({ ...to, ca: files.ca, checkServerIdentity: () => undefined });
    socket.on("error", () => {});
    socket.write(Uint8Array.of(rank));
    socket.pause();
    return socket;
  });
  await dialled;
  let total = 0;
  /** Bytes of the round before. */
  let before = 0;
  for (const size of sizes) {
    let [x, y] = [new Float32Array(size).fill(rank), new Float32Array(size).fill(rank)];
    const z = new Float32Array(size);
    target = new Uint8Array(z.buffer);
    for (const what of ["exchange", "round"] as const) {
      const ms = await measure(n, size, async () => {
        const { from, to } = graph.peers(total++, rank);
        filled = Math.max(0, filled - before);
        before = target.length;
        const came = new Promise<void>((resolve) => {
          full = resolve;
          if (filled >= target.length) full();
        });
        const sent = new Promise<void>((resolve) => {
          outgoing[to[0].node].write(new Uint8Array(x.buffer), () => resolve());
        });
        incoming[from[0].node]?.resume();
        await Promise.all([came, sent]);
        if (what === "round") {
          averaging(y, x, z);
          [x, y] = [y, x];
        }
      });
      say(job, { size, what, ms });
    }
  }
  // Others may still read.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  for (const socket of [...outgoing, ...incoming]) socket?.destroy();
  server.close();
  process.disconnect();
}

function exchangePorts(port: number): Promise<number[]> {
  return new Promise((resolve) => {
    process.once("message", (ports) => resolve(ports as number[]));
    process.send?.({ port });
  });
}

async function bareMpi(job: Job): Promise<void> {
  const { n, sizes } = job;
  const { addon } = loadAddon();
  const waiting = new Map<number, () => void>();
  let placed: (rank: number) => void = () => {};
  const started = new Promise<number>((resolve) => {
    placed = resolve;
  });
  addon.start((ends) => {
    if (ends[0] === -1) placed(ends[2]);
    else for (let k = 0; k < ends.length; k += 3) waiting.get(ends[k])?.();
  });
  const rank = await started;
  const graph = odEquiDyn({ n, seed: 1 });
  let id = 0;
  let total = 0;
  for (const size of sizes) {
    let [x, y] = [new Float32Array(size).fill(rank), new Float32Array(size).fill(rank)];
    const z = new Float32Array(size);
    for (const what of ["exchange", "round"] as const) {
      const ms = await measure(n, size, async () => {
        const { from, to } = graph.peers(total, rank);
        const tag = total++ % 16384;
        let left = 2;
        await new Promise<void>((resolve) => {
          const one = () => {
            if (--left === 0) resolve();
          };
          waiting.set(id, one);
          waiting.set(id + 1, one);
          addon.post(id, Int32Array.of(1, from[0].node, tag, 0, to[0].node, tag), [z, x]);
        });
        waiting.delete(id);
        waiting.delete(id + 1);
        id += 2;
        if (what === "round") {
          averaging(y, x, z);
          [x, y] = [y, x];
        }
      });
      say({ ...job, rank }, { size, what, ms });
    }
  }
  addon.stop();
}

if (!isMainThread) {
  const job = workerData as Placed & { board: Board; flags: SharedArrayBuffer; rows: SharedArrayBuffer[] };
  if (job.mode === "bare") await bareThreads(job);
  else await runPeers(job, new ThreadTransport(job.board, { rank: job.rank }));
} else if (process.argv[2] !== undefined) {
  const job = JSON.parse(process.argv[2]) as Placed;
  if (job.engine === "mpi") {
    if (job.mode === "bare") await bareMpi(job);
    else {
      const transport = await MpiTransport.start();
      await runPeers({ ...job, rank: transport.rank }, transport);
    }
  } else {
    const listen = { host: "127.0.0.1", port: 0 };
    if (job.mode === "bare") await bareTcp(job);
    else {
      const addresses = Array.from({ length: job.n }, () => listen);
      const { rank, n: size } = job;
      const maxBytes = 4 * Math.max(...job.sizes);
      const files = job.tls && { tls: { ...job.tls, nameOf: (peer: number) => `peer-${peer}` } };
      const options = { rank, size, addresses, listen, spec: "bench", maxBytes, ...files };
      const transport = await TcpTransport.listen(options);
      (await exchangePorts(transport.port)).forEach((port, peer) => {
        addresses[peer] = { host: "127.0.0.1", port };
      });
      transport.prepare([...addresses.keys()].filter((peer) => peer !== rank));
      await runPeers(job, transport);
      process.disconnect();
    }
  }
}
