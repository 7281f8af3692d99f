/** Topologies of one's own in a spec keep all that they say of themselves. */

import { expect, it } from "vitest";
import { runSpec } from "../../src/run/run.ts";
import { expandSpec } from "../../src/run/spec.ts";
import { createTopology } from "../../src/topology/registry.ts";
import type { Topology } from "../../src/topology/topology.ts";

const own: readonly Topology[] = [
  createTopology({ name: "hierarchy", n: 6, groups: 2, between: { name: "ring" } }),
  createTopology({ name: "geometric", n: 12, seed: 3 }),
  createTopology({ name: "ou-equidyn", n: 9 }),
  createTopology({ name: "od-equidyn", n: 9 }),
  createTopology({ name: "ceca-2p", n: 9 }),
];
const facts = ["hierarchy", "signed", "turned", "points", "draws", "moments", "block", "exactAfter", "note"] as const;
const methods = ["norm", "pair", "roundOf"] as const;

it.each(own.map((topology) => [topology.name, topology] as const))("%s", (_, topology) => {
  const [run] = expandSpec({
    topologies: [topology],
    algorithms: [{ name: topology.pair === undefined ? "dsgd" : "dsgd-ceca", learningRate: 0.01 }],
    problem: { name: "least-squares" },
    updates: 3,
  });
  const found = createTopology(run.topology);
  expect(found.name).toBe(run.topology.name);
  for (const fact of facts) expect(found[fact]).toBe(topology[fact]);
  for (const method of methods) expect(typeof found[method]).toBe(typeof topology[method]);
  if (topology.roundOf !== undefined) {
    expect(found.roundOf?.({ shift: 2, start: 1 })).toEqual(topology.roundOf({ shift: 2, start: 1 }));
  }
  // The result counts what crosses between groups only if the groups are still known.
  expect(runSpec(run).between === undefined).toBe(topology.hierarchy === undefined);
});
