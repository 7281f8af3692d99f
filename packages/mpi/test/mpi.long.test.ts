import { spawnSync } from "node:child_process";
import net from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { conformance } from "../../equitopo/test/peer/conformance.ts";
import { algorithms, type Spec, simulateAll, topologies } from "../../equitopo/test/peer/program.mjs";
import { missing, mpirun, openRanks } from "./ranks.ts";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Every rank's rows, which come over a socket: what several ranks print may arrive mixed up. */
async function rowsOf(ranks: number, specs: readonly Spec[]): Promise<number[][]> {
  const all: number[][][] = [];
  const server = net.createServer((socket) => {
    createInterface({ input: socket }).on("line", (line) => {
      const { rank, rows } = JSON.parse(line);
      all[rank] = rows;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const child = mpirun(ranks, path("./bitwise.mjs"), {
    EQUITOPO_TEST_SPECS: JSON.stringify(specs),
    EQUITOPO_TEST_PORT: String((server.address() as net.AddressInfo).port),
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  await new Promise((resolve) => server.close(resolve));
  expect(code).toBe(0);
  return specs.map((_, k) => all.flatMap((rows) => rows[k]));
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

    it("24 ranks on however many cores", async () => {
      const spec: Spec = { topology: { name: "ou-equidyn", n: 24 }, algorithm: "dsgd", rounds: 10, type: "float32" };
      const [rows] = await rowsOf(24, [spec]);
      expect(rows).toEqual([...simulateAll(spec)]);
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
