/**
 * Processes over TCP on loopback, every connection through the switch in user space, to which the faults of a schedule
 * happen: killed, stopped, restarted; connections that break, that are half-open, that are cut.
 */

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { freePorts } from "@equitopo/node";
import type { RunSpec } from "equitopo";
import { decodeHistory, type HistoryLine } from "equitopo/peer";
import type { Fault } from "equitopo/testing";
import type { ChaosJob } from "./chaos-peer.ts";

const program = fileURLToPath(new URL("./chaos-peer.js", import.meta.url));
const switchProgram = fileURLToPath(new URL("../../packages/cli/test/internet/switch.mjs", import.meta.url));

export interface ChaosOptions {
  readonly run: RunSpec;
  readonly timeout: number;
  readonly folder: string;
  readonly faults: readonly Fault[];
  /** Milliseconds, a share: of everything that is sent. */
  readonly delay: number;
  readonly loss: number;
  /** Milliseconds after which whoever still runs is taken to hang. */
  readonly limit: number;
}

export interface ChaosOutcome {
  readonly histories: readonly (readonly HistoryLine[])[];
  readonly hanging: readonly number[];
  readonly failed: readonly number[];
  readonly seconds: number;
}

export async function playForReal(options: ChaosOptions): Promise<ChaosOutcome> {
  const { run, timeout, folder, faults, delay, loss, limit } = options;
  const n = run.topology.n;
  const ports = await freePorts(n * n);
  /** Where peer a dials peer b; where b itself listens is on the diagonal. */
  const port = (a: number, b: number) => ports[a * n + b];
  const pairs = Array.from({ length: n * n }, (_, k) => [Math.floor(k / n), k % n] as const).filter(
    ([a, b]) => a !== b,
  );
  const network = fork(switchProgram);
  const local = (number: number) => ({ host: "127.0.0.1", port: number });
  network.send({
    routes: pairs.map(([a, b]) => ({ listen: local(port(a, b)), target: local(port(b, b)), from: `${a}`, to: `${b}` })),
  });
  await once(network, "message");
  network.send({ link: "*", delay, jitter: delay, loss, resend: 60 });

  const running = new Map<number, ChildProcess>();
  const failed: number[] = [];
  const start = (rank: number): void => {
    const dials = Array.from({ length: n }, (_, other) => port(rank, other));
    const job: ChaosJob = { rank, run, timeout, folder, listen: port(rank, rank), dials };
    const child = fork(program, [JSON.stringify(job)]);
    running.set(rank, child);
    child.once("exit", (code) => {
      if (running.get(rank) === child) running.delete(rank);
      if (code !== 0 && code !== null) failed.push(rank);
    });
  };
  const begun = performance.now();
  const clock = () => performance.now() - begun;
  const later = (milliseconds: number, act: () => void) => setTimeout(act, milliseconds);
  for (let rank = 0; rank < n; rank++) start(rank);
  let coming = 0;
  const play = (fault: Fault): void => {
    if (fault.kind === "break") network.send({ break: `${fault.to}>${fault.from}` });
    else if (fault.kind === "half-open") {
      const believer = fault.believer === "sender" ? "listener" : "dialler";
      network.send({ halfOpen: `${fault.to}>${fault.from}`, believer });
    } else if (fault.kind === "cut") {
      const across = pairs.filter(([a, b]) => fault.side.includes(a) !== fault.side.includes(b));
      for (const [a, b] of across) network.send({ cut: `${a}>${b}` });
      later(fault.for, () => {
        for (const [a, b] of across) network.send({ heal: `${a}>${b}` });
      });
    } else if (fault.kind === "stop") {
      const child = running.get(fault.peer);
      child?.kill("SIGSTOP");
      later(fault.for, () => child?.kill("SIGCONT"));
    } else if (fault.kind === "kill") {
      const child = running.get(fault.peer);
      if (child === undefined) return;
      if (fault.power) {
        for (const [a, b] of pairs) {
          if (b === fault.peer) network.send({ halfOpen: `${a}>${b}`, believer: "dialler" });
          if (a === fault.peer) network.send({ halfOpen: `${a}>${b}`, believer: "listener" });
        }
      }
      child.kill("SIGKILL");
      if (fault.for === 0) return;
      coming++;
      later(fault.for, () => {
        coming--;
        start(fault.peer);
      });
    }
  };
  // Peers need a moment to meet; faults happen while they run.
  while (clock() < 60_000 && !existsAll(folder, n)) await new Promise((resolve) => setTimeout(resolve, 50));
  for (const fault of faults) later(fault.at, () => play(fault));
  while ((running.size > 0 || coming > 0) && clock() < limit) await new Promise((resolve) => setTimeout(resolve, 50));
  const hanging = [...running.keys()];
  for (const child of running.values()) child.kill("SIGKILL");
  network.disconnect();
  const seconds = clock() / 1000;
  const histories = Array.from({ length: n }, (_, rank) => decodeHistory(textOf(folder, rank)));
  return { histories, hanging, failed, seconds };
}

function textOf(folder: string, rank: number): string {
  try {
    return readFileSync(`${folder}/peer-${rank}.ndjson`, "utf8");
  } catch {
    return "";
  }
}

/** Whether every peer has exchanged something. */
const existsAll = (folder: string, n: number) =>
  Array.from({ length: n }, (_, rank) => textOf(folder, rank)).every((text) => text.includes('"exchange"'));
