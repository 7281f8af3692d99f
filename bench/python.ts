/**
 * equitopo.torch: what a round costs beside its bare messages and beside all-reduce, what overlap hides at 1 Gbit/s a rank,
 * and what mixing costs a training of MNIST's network. Where no Python has torch this says loudly that it did not run.
 *
 *   --seconds S   of each measurement, default 6
 *   --only WHAT   rounds, mpi, overlap or images
 */

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Options, Report } from "./bench.ts";
import { noTorch, pythonWithTorch, torchEnvironment } from "./with-torch.ts";

const root = new URL("../../", import.meta.url);
const file = (name: string) => fileURLToPath(new URL(name, root));
const sizes = [60_000, 1_000_000];
const limits: Readonly<Record<string, number>> = { OD: 1.4, OU: 2 };

export default function main({ seconds = "6", only }: Options, report: Report): void {
  const python = pythonWithTorch();
  if (python === undefined) {
    console.log(`NOT RUN: ${noTorch}`);
    report.missing("equitopo.torch", noTorch);
    return;
  }
  const bench = new Bench(python, seconds, report);
  const parts = {
    rounds: () => bench.rounds(),
    mpi: () => bench.mpi(),
    overlap: () => bench.overlap(),
    images: () => bench.images(),
  };
  for (const [name, part] of Object.entries(parts)) if (only === undefined || only === name) part();
}

type Numbers = Readonly<Record<string, number>>;

class Bench {
  private readonly python: string;
  private readonly seconds: string;
  private readonly report: Report;

  constructor(python: string, seconds: string, report: Report) {
    this.python = python;
    this.seconds = seconds;
    this.report = report;
  }

  /** A program that prints numbers as one JSON object, or why it did not. */
  private numbers(words: readonly string[]): Numbers {
    const [program, ...rest] = words;
    const env = torchEnvironment();
    const { status, stdout, stderr, error } = spawnSync(program, rest, { encoding: "utf8", env, timeout: 300_000 });
    if (status === 0) return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Numbers;
    throw new Error(String(error ?? stderr.trim().split("\n").at(-1)));
  }

  private ranks(n: number, script: string, ...words: readonly string[]): Numbers {
    return this.numbers([this.python, "-m", "equitopo.torch.launch", String(n), file(script), ...words]);
  }

  rounds(): void {
    for (const n of [4, 17]) {
      for (const d of sizes) {
        const ms = this.ranks(n, "bench/python/rounds.py", String(d), this.seconds);
        for (const name of ["OD", "OU"]) {
          const [bare, gossip] = [ms[`${name} bare`], ms[`${name} gossip`]];
          const kept = gossip <= limits[name] * bare ? "within" : "ABOVE";
          if (kept === "ABOVE") process.exitCode = 1;
          const words = `a round of ${name}-EquiDyn, ${n} ranks, ${d} floats`;
          console.log(
            `${words}: ${gossip.toFixed(2)} ms, bare messages ${bare.toFixed(2)} ms: ${(gossip / bare).toFixed(2)}x, ` +
              `${kept} its limit of ${limits[name]}x; gloo's all_reduce ${ms["all_reduce"].toFixed(2)} ms`,
          );
          const beside = { what: "bare isend and irecv", value: bare };
          this.report.figure({ name: words, value: gossip, unit: "ms", beside });
        }
        this.report.figure({ name: `gloo's all_reduce, ${n} ranks, ${d} floats`, value: ms["all_reduce"], unit: "ms" });
      }
    }
  }

  mpi(): void {
    for (const n of [4, 17]) {
      for (const d of sizes) {
        const name = `Open MPI's one-peer round, ${n} ranks, ${d} floats`;
        const words = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", String(n), this.python];
        this.tried(name, () => {
          const ms = this.numbers([...words, file("bench/python/mpi.py"), String(d), this.seconds]);
          console.log(`${name}: ${ms["one_peer"].toFixed(2)} ms, its all-reduce ${ms["all_reduce"].toFixed(2)} ms`);
          const beside = { what: "Open MPI's all-reduce", value: ms["all_reduce"] };
          this.report.figure({ name, value: ms["one_peer"], unit: "ms", beside });
        });
      }
    }
  }

  /** Waiting that is real: tbf on the loopback of a namespace, 1 Gbit/s for each of four ranks. */
  overlap(): void {
    const name = "a training step at 1 Gbit/s a rank, 4 ranks, with overlap";
    this.tried(name, () => {
      const link = "ip link set lo up && tc qdisc add dev lo root tbf rate 4gbit burst 256kb latency 200ms";
      const run = `exec ${this.python} -m equitopo.torch.launch 4 ${file("bench/python/overlap.py")} ${this.seconds}`;
      const ms = this.numbers(["unshare", "-n", "sh", "-c", `${link} && ${run}`]);
      console.log(
        `${name}: ${ms["overlapped"].toFixed(1)} ms; the transfer alone ${ms["transfer"].toFixed(1)} ms, the exchange after ` +
          `the step ${ms["after"].toFixed(1)} ms, without any ${ms["alone"].toFixed(1)} ms (${ms["parameters"]} parameters)`,
      );
      const beside = { what: "the transfer alone", value: ms["transfer"] };
      this.report.figure({ name, value: ms["overlapped"], unit: "ms", beside });
      const without = { what: "the same with overlap", value: ms["overlapped"] };
      this.report.figure({ name: name.replace("with", "without"), value: ms["after"], unit: "ms", beside: without });
    });
  }

  images(): void {
    const name = "training MNIST's network, 4 ranks, a round after every step";
    const script = "packages/python/examples/mnist_dsgd.py";
    const most: Record<string, number> = { "ou-equidyn": 0, alone: 0 };
    for (let turn = 0; turn < 3; turn++) {
      for (const topology of Object.keys(most)) {
        const run = this.ranks(4, script, "--topology", topology, "--epochs", "4", "--images", "4000", "--json");
        most[topology] = Math.max(most[topology], run["images"] / run["seconds"]);
      }
    }
    const [mixed, alone] = [most["ou-equidyn"], most["alone"]];
    console.log(`${name}: ${mixed.toFixed(0)} images a second, without mixing ${alone.toFixed(0)}`);
    this.report.figure({
      name,
      value: mixed,
      unit: "images/s",
      more: true,
      beside: { what: "without mixing", value: alone },
    });
  }

  private tried(name: string, measure: () => void): void {
    try {
      measure();
    } catch (error) {
      const reason = (error as Error).message;
      console.log(`${name}: NOT RUN, ${reason}`);
      this.report.missing(name, reason);
    }
  }
}
