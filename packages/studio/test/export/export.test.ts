import { createTopology, expandSpec, topologies } from "equitopo";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { exportGossip, exportSpectrum, gossipCommands } from "../../src/export/specs.ts";
import { yamlOf } from "../../src/export/yaml.ts";
import { initialView, readView } from "../../src/view/view.ts";
import { topologyOf } from "../../src/work/setting.ts";

test.each([
  "",
  "topology=d-equistatic;m=9,ring,one-peer-exp&n=100&drop=0.1&seed=4",
  "topology=ou-equidyn;construction=euclid,d-equistatic;basis=1_5&n=17&rounds=10",
])("the exported spec is one that runs: %s", (fragment) => {
  const view = readView(fragment);
  const { document } = exportGossip(view);
  const written = yamlOf(document);
  expect(parse(written)).toEqual(document);
  const runs = expandSpec(parse(written));
  expect(runs.map(({ topology }) => topology.name)).toEqual(view.topology.map(({ name }) => name));
  for (const run of runs) expect(run).toMatchObject({ rounds: view.rounds, seed: view.seed, topology: { n: view.n } });
});

const simple = topologies.filter(({ options }) => Object.values(options).every(({ required }) => required !== true));

test.each(simple.map(({ name }) => name))("the spec of %s runs, beside a ring and beside what refuses n", (name) => {
  for (const n of [16, 36, 60]) {
    if (topologies.get(name).refuses?.(n) !== undefined) continue;
    for (const fragment of [`topology=${name},ring,lps&drop=0.1`, `topology=ring,${name}`]) {
      const { document } = exportGossip(readView(`${fragment}&n=${n}`));
      expect(expandSpec(parse(yamlOf(document))).length).toBeGreaterThan(0);
    }
    expect(expandSpec(parse(yamlOf(exportSpectrum({ graph: { name }, n, seed: 3 }).document)))).toHaveLength(1);
  }
});

test("a topology that takes no push-sum is not given it", () => {
  const [first, second] = gossipCommands(readView("topology=ceca-1p,ring&push=1"));
  expect(first).not.toContain("--push-sum");
  expect(second).toContain("--push-sum");
});

test("the spectrum's command and spec are of the basis that is shown", () => {
  const setting = { graph: { name: "d-equistatic" }, n: 24, seed: 4 };
  const { commands, document } = exportSpectrum(setting);
  expect(commands).toEqual(["equitopo rate d-equistatic --n 24 --seed 4"]);
  const [{ topology }] = expandSpec(parse(yamlOf(document)));
  expect(createTopology(topology).rate().rate).toBe(topologyOf(setting.graph, setting).rate().rate);
  const listed = exportSpectrum({ ...setting, graph: { name: "d-equistatic", basis: [1, 5], seed: 2 } });
  expect(listed.commands).toEqual(["equitopo rate d-equistatic --n 24 --basis 1,5 --seed 2"]);
});

test("what YAML would misread is quoted", () => {
  const tricky = {
    title: "yes",
    label: "a: b",
    empty: "",
    hash: "# no",
    none: null,
    list: ["1", 2, true, [3]],
    far: 1e-9,
  };
  expect(parse(yamlOf(tricky))).toEqual(tricky);
});

test("commands say all that is set, and only that", () => {
  expect(gossipCommands(initialView)).toEqual([
    "equitopo gossip od-equidyn --n 64 --dim 1 --rounds 60 --start sorted --seed 4",
    "equitopo gossip ring --n 64 --dim 1 --rounds 60 --start sorted --seed 4",
  ]);
  const view = readView("topology=d-equistatic;basis=1_5&n=20&kill=3@4-9,25@1&cut=1-2@5&drop=0.25&push=1&rounds=12");
  expect(gossipCommands(view)).toEqual([
    "equitopo gossip d-equistatic --n 20 --basis 1,5 --dim 1 --rounds 12 --start sorted --seed 4 --drop 0.25 --crash 3:4:9 --cut 1-2:5 --push-sum",
  ]);
  expect(gossipCommands({ ...view, start: "normal" })[0]).not.toContain("--start");
});
