/** Asynchronous rounds by command: real peers over every transport, and the simulator that does their runs again. */

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { json, scratch, spawned } from "../command.ts";

const folder = scratch();
const spec = join(folder, "spec.json");
const document = {
  topologies: [{ name: "od-equidyn", n: 3 }],
  algorithms: [
    { name: "dsgd", learningRate: 0.01 },
    { name: "push-sum", learningRate: 0.01 },
  ],
  problem: { name: "least-squares", K: 4 },
  rounds: 30,
  every: 10,
  mode: "async",
};
writeFileSync(spec, JSON.stringify(document));

const mpi =
  spawnSync("mpirun", ["--version"]).status === 0 && existsSync(new URL("../../../mpi/dist/native", import.meta.url));
if (!mpi)
  console.error(
    "\n*** asynchronous peers over MPI WERE NOT TESTED: there is no mpirun, or the addon is not built ***\n",
  );

describe("mode: async by command", () => {
  it.each(["threads", "tcp", ...(mpi ? ["mpi"] : [])])(
    "%s: verify --spec does the run again, bit for bit",
    async (name) => {
      const [histories, out] = [join(folder, `histories-${name}`), join(folder, name)];
      const run = spawned(`run ${spec} --transport ${name} --history ${histories} --out ${out} --json`);
      expect(run.status, run.stderr).toBe(0);
      const { runs } = JSON.parse(readFileSync(join(out, "result.json"), "utf8")) as { runs: { stateHash: string }[] };
      const { accepted, replayed } = await json(`verify --history ${histories} --spec ${spec}`);
      expect(accepted).toBe(true);
      expect(replayed.map(({ stateHash }: { stateHash: string }) => stateHash)).toEqual(
        runs.map(({ stateHash }) => stateHash),
      );
      expect(replayed[1].weights).toBeCloseTo(3, 9);
    },
  );
});
