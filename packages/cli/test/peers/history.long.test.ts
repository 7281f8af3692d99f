/** What real peers write down by command: the histories of every transport fit together. */

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { json, scratch, spawned } from "../command.ts";

const folder = scratch();
const spec = join(folder, "spec.json");
const document = {
  topologies: [{ name: "ou-equidyn", n: 3 }],
  algorithms: [{ name: "dsgd", learningRate: 0.01 }],
  problem: { name: "least-squares", K: 4 },
  rounds: 12,
};
writeFileSync(spec, JSON.stringify(document));

const mpi =
  spawnSync("mpirun", ["--version"]).status === 0 && existsSync(new URL("../../../mpi/dist/native", import.meta.url));
if (!mpi)
  console.error("\n*** histories over MPI WERE NOT TESTED: there is no mpirun, or the addon is not built ***\n");

describe("run --history", () => {
  it.each(["threads", "tcp", ...(mpi ? ["mpi"] : [])])(
    "%s: all that peers applied, in an empty folder",
    async (name) => {
      const histories = join(folder, `histories-${name}`);
      const run = (out: string) =>
        spawned(`run ${spec} --transport ${name} --history ${histories} --out ${join(folder, name, out)} --json`);
      const first = run("first");
      expect(first.status, first.stderr).toBe(0);
      expect(readdirSync(histories)).toEqual(["peer-0.ndjson", "peer-1.ndjson", "peer-2.ndjson"]);
      expect(readFileSync(join(histories, "peer-1.ndjson"), "utf8")).toContain('"kind":"end"');
      const { accepted, counts } = await json(`verify --history ${histories}`);
      expect(accepted).toBe(true);
      expect(counts).toMatchObject({ peers: 3, lives: 3, killed: 0, void: 0, window: 0, unwitnessed: 0 });
      expect(counts.applied).toBeGreaterThan(12);
      const again = run("second");
      expect([again.status, again.stderr]).toEqual([
        2,
        expect.stringContaining("--history must be a new or empty folder"),
      ]);
    },
  );
});
