import { spawnSync } from "node:child_process";
import net from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { stateHash } from "../../equitopo/src/number/hash.ts";
import { runSpec } from "../../equitopo/src/run/run.ts";
import { conformance } from "../../equitopo/test/peer/conformance.ts";
import { algorithms, grouped, type Spec, simulateAll, topologies } from "../../equitopo/test/peer/program.mjs";
import { defended } from "../../equitopo/test/peer/runs.ts";
import { missing, mpirun, openRanks } from "./ranks.ts";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** What every rank of a program reports, over a socket: what several ranks print may arrive mixed up. */
async function reports<T extends { readonly rank: number }>(n: number, program: string, plan: unknown): Promise<T[]> {
  const all: T[] = [];
  const server = net.createServer((socket) => {
    createInterface({ input: socket }).on("line", (line) => {
      const one = JSON.parse(line) as T;
      all[one.rank] = one;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const child = mpirun(n, path(program), {
    EQUITOPO_TEST_PLAN: JSON.stringify(plan),
    EQUITOPO_TEST_PORT: String((server.address() as net.AddressInfo).port),
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  await new Promise((resolve) => server.close(resolve));
  expect(code).toBe(0);
  return all;
}

/** Every rank's rows. */
async function rowsOf(ranks: number, specs: readonly Spec[]): Promise<number[][]> {
  const all = await reports<{ rank: number; rows: number[][] }>(ranks, "./bitwise.mjs", specs);
  return specs.map((_, k) => all.flatMap(({ rows }) => rows[k]));
}

if (missing === undefined) {
  conformance("mpi", openRanks);

  describe("mpi", () => {
    it("equals the simulator bit by bit", async () => {
      const specs = topologies.flatMap((topology) =>
        algorithms.map((algorithm) => ({ topology, algorithm, rounds: algorithm === "two-vectors" ? 20 : 60 })),
      );
      const rows = await rowsOf(17, specs);
      specs.forEach((spec, k) => {
        expect(rows[k], `${spec.topology.name} ${spec.algorithm}`).toEqual([...simulateAll(spec)]);
      });
    });

    it("in groups of 5, 5, 4 and 3 equals the simulator bit by bit", async () => {
      const specs: Spec[] = grouped.map((topology) => ({ topology, algorithm: "dsgt", rounds: 40, type: "float32" }));
      const rows = await rowsOf(17, specs);
      specs.forEach((spec, k) => {
        expect(rows[k], JSON.stringify(spec.topology)).toEqual([...simulateAll(spec)]);
      });
    });

    it("liars are believed, clipped, trimmed and refused as in the simulator, to the last bit", async () => {
      const all = await reports<{ rank: number; rows: number[][]; refused: number }>(7, "./runs.mjs", defended);
      defended.forEach((spec, k) => {
        const Kind = spec.type === "float32" ? Float32Array : Float64Array;
        const hash = stateHash(Kind.from(all.flatMap(({ rows }) => rows[k])));
        expect(hash, `${spec.robust?.kind} over ${spec.label}`).toBe(runSpec(spec).stateHash);
      });
      expect(all.reduce((sum, { refused }) => sum + refused, 0)).toBeGreaterThan(0);
    });

    it("24 ranks on however many cores", async () => {
      const spec: Spec = { topology: { name: "ou-equidyn", n: 24 }, algorithm: "dsgd", rounds: 10, type: "float32" };
      const [rows] = await rowsOf(24, [spec]);
      expect(rows).toEqual([...simulateAll(spec)]);
    });

    interface Seen {
      readonly rank: number;
      readonly wrong: number;
      readonly right: number;
      readonly done: number;
      readonly skipped: number;
      readonly afterSkip: number;
    }

    // Small vectors travel in their letters, large ones apart.
    it.each([2, 2000])("a rank that pauses gets no stale vector of %i numbers, and skips ahead", async (length) => {
      const plan = { rounds: 2500, length, still: 50, milliseconds: 2500, timeout: 3, maxLag: 32 };
      const all = await reports<Seen>(4, "./standstill.mjs", plan);
      expect(all.map(({ wrong }) => wrong)).toEqual([0, 0, 0, 0]);
      expect(all[2].skipped).toBeGreaterThan(32);
      expect(all[2].done + all[2].skipped).toBe(plan.rounds);
      // Where it went on it met the others again.
      expect(all[2].afterSkip).toBeGreaterThan(0);
      expect(all[0].right).toBeGreaterThan(0);
    });

    it("ranks of other specs, or of another run, refuse each other at once", async () => {
      interface Refused {
        readonly rank: number;
        readonly met: readonly number[];
        readonly refused: readonly [string, number][];
        readonly seconds: number;
      }
      const all = await reports<Refused>(4, "./strangers.mjs", { timeout: 20_000, rounds: 5 });
      // 0 and 1 agree; 2 has another spec, 3 another run.
      expect(all.map(({ met }) => met)).toEqual([[1], [0], [], []]);
      for (const { refused, seconds } of all) {
        expect(refused[0][0]).toBe("spec");
        expect(seconds).toBeLessThan(15);
      }
    });
  });
} else {
  console.error(`\n*** THE MPI TESTS DID NOT RUN: ${missing} ***\n`);
}

describe("without libmpi", () => {
  it("a clear error says what to install", () => {
    const script = `import { MpiTransport } from ${JSON.stringify(path("../dist/index.js"))};
      await MpiTransport.start({ library: "/nowhere/libmpi.so" });`;
    const run = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    expect(run.status).not.toBe(0);
    expect(run.stderr).toMatch(
      /MpiError: (libmpi could not be loaded .*install Open MPI or MPICH|the MPI addon is not built)/,
    );
  });
});
