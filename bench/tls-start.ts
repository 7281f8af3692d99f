/**
 * Claim: peers that trust each other by TLS certificates begin soon, also where there are many of them for each core. A
 * handshake costs milliseconds of processor time at both ends, and all n (n - 1) at once would be thousands of them before
 * the first round; they are made in the order in which rounds need them, a few at a time.
 *
 * npm run bench -- tls-start; EQUITOPO_BENCH_N=8,64 chooses how many peers, each a process of this machine.
 */

import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { createAuthority, createCertificate } from "@equitopo/node";
import type { Options, Report } from "./bench.ts";
import type { PeerReport, Place } from "./tls-start-peer.ts";

const program = fileURLToPath(new URL("./tls-start-peer.js", import.meta.url));
const rounds = 20;

type Ended = Exclude<PeerReport, { readonly port: number }>;

async function start(n: number): Promise<Ended[]> {
  const valid = { from: new Date(Date.now() - 3_600_000), days: 1 };
  const authority = createAuthority({ name: "bench", ...valid });
  const ports: number[] = [];
  const ended: Ended[] = [];
  const children = Array.from({ length: n }, () => fork(program));
  await Promise.all(
    children.map(
      (child, rank) =>
        new Promise<void>((resolve, reject) => {
          child.on("message", (report: PeerReport) => {
            if ("port" in report) {
              ports[rank] = report.port;
              if (ports.filter(Boolean).length === n) for (const other of children) other.send(ports);
            } else {
              ended.push(report);
              if (ended.length === n) for (const other of children) other.disconnect();
            }
          });
          child.once("error", reject);
          child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`peer ${rank} ended with ${code}`))));
          const own = createCertificate(authority, "bench", { name: `peer-${rank}`, ...valid });
          child.send({ rank, n, rounds, tls: { ca: authority.cert, ...own } } satisfies Place);
        }),
    ),
  );
  return ended;
}

export default async function main(_: Options, report: Report): Promise<void> {
  const sizes = process.env["EQUITOPO_BENCH_N"]?.split(",").map(Number) ?? [8, 64];
  console.log(`TLS on ${availableParallelism()} cores, seconds until the last peer`);
  console.log(`   n   has met all   has done round 1   round ${rounds}   connections made again`);
  for (const n of sizes) {
    const ended = await start(n);
    const latest = (name: keyof Ended) => Math.max(...ended.map((peer) => peer[name]));
    const again = ended.reduce((sum, { reconnects }) => sum + reconnects, 0);
    const columns = [latest("met"), latest("first"), latest("last")].map((seconds) => seconds.toFixed(1));
    report.figure({ name: `${n} peers over TLS have all met`, value: latest("met"), unit: "s" });
    report.figure({ name: `${n} peers over TLS have done round 1`, value: latest("first"), unit: "s" });
    console.log(
      `${String(n).padStart(4)} ${columns[0].padStart(13)} ${columns[1].padStart(18)} ${columns[2].padStart(11)} ${String(again).padStart(24)}`,
    );
  }
}
