/**
 * There and back through networkx and numpy: what `graph` writes they read, what they write `rate --file` reads, and the
 * rate is the same. Where Python has not got them this says loudly that it did not run.
 */

import { spawnSync } from "node:child_process";
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

/** The guide's program (docs/coming-from.md), and the second norm of W - J by numpy itself. */
const program = `
import networkx as nx, numpy as np, sys
name = sys.argv[1]
G = nx.read_graphml(f"{name}.graphml", node_type=int)
order = range(G.number_of_nodes())
W = nx.to_numpy_array(G, nodelist=order).T + np.diag([G.nodes[i]["selfWeight"] for i in order])
M = np.load(f"{name}.npy")
nx.write_graphml(G, "back-as-read.graphml")
nx.write_graphml(nx.from_numpy_array(M.T, create_using=nx.DiGraph), "back-from-matrix.graphml")
np.save("back.npy", W)
np.savetxt("back.csv", np.asfortranarray(W))
print(abs(W - M).max(), np.linalg.norm(W - 1 / len(order), 2))
`;

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
