/**
 * There and back through networkx and numpy: what `graph` writes they read, what they write `rate --file` reads, and the
 * rate is the same. Where Python has not got them this says loudly that it did not run.
 */

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { equitopo, json, scratch } from "../command.ts";

const folder = scratch();
const { stdout: versions, status } = spawnSync(
  "python3",
  ["-c", "import networkx, numpy; print(f'networkx {networkx.__version__}, numpy {numpy.__version__}')"],
  { encoding: "utf8" },
);
const missing = status !== 0;
if (missing) console.warn("NOT RUN: round trips through networkx and numpy (python3 has not got both)");

/** The program of docs/coming-from.md. */
const page = readFileSync(new URL("../../../../docs/coming-from.md", import.meta.url), "utf8");
const program = /^```python\n(# there-and-back[\s\S]*?)^```$/m.exec(page)?.[1] ?? "";

test.skipIf(missing).each(["d-equistatic --n 17 --m 4", "grid --n 12", "static-exp --n 10"])(
  `%s (${versions.trim()})`,
  async (words) => {
    for (const format of ["graphml", "npy"]) {
      expect(
        (await equitopo(`graph ${words} --out ${join(folder, `graph.${format}`)} --format ${format}`)).status,
      ).toBe(0);
    }
    const run = spawnSync("python3", ["-c", program, "graph"], { cwd: folder, encoding: "utf8" });
    expect(run.stderr).toBe("");
    const [difference, norm] = run.stdout.trim().split(" ").map(Number);
    const { rate } = await json(`rate ${words}`);
    expect(difference).toBeLessThan(1e-16);
    expect(norm).toBeCloseTo(rate, 12);
    for (const file of ["back-as-read.graphml", "back-from-matrix.graphml", "back.npy", "back.csv"]) {
      expect((await json(`rate --file ${join(folder, file)}`)).rate, file).toBeCloseTo(rate, 12);
    }
  },
);

test.skipIf(missing)("a graph of networkx without weights gets the Metropolis weights of equitopo", async () => {
  const path = join(folder, "grid.graphml");
  const code = "import networkx as nx, sys; nx.write_graphml(nx.grid_2d_graph(3, 4), sys.argv[1])";
  expect(spawnSync("python3", ["-c", code, path], { encoding: "utf8" }).stderr).toBe("");
  expect((await json(`rate --file ${path}`)).rate).toBeCloseTo(
    (await json("rate grid --n 12 --rows 3 --cols 4")).rate,
    10,
  );
});
