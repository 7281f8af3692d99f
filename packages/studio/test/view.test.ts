import { expect, test } from "vitest";
import { initialView, readView, withoutRoom, writeView } from "../src/view/view.ts";

test("the initial view has an empty address, and an empty address the initial view", () => {
  expect(writeView(initialView)).toBe("");
  expect(readView("")).toEqual(initialView);
  expect(readView("#")).toEqual(initialView);
});

test("a view comes back from its address", () => {
  const view = {
    ...initialView,
    view: "curves",
    topology: [{ name: "d-equistatic", m: 9 }, { name: "d-equistatic", basis: [5] }, { name: "ring" }],
    n: 1000,
    t: 0,
    kill: [
      { node: 7, from: 3 },
      { node: 9, from: 10, until: 20 },
    ],
    cut: [{ pair: [4, 5], from: 2 }],
    drop: 0.25,
    push: true,
    x: "bytes",
  } as const;
  const text = writeView(view);
  expect(text).toBe(
    "view=curves&topology=d-equistatic;m=9,d-equistatic;basis=5_,ring&n=1000&kill=7@3,9@10-20&cut=4-5@2&drop=0.25&push=1&t=0&x=bytes",
  );
  expect(readView(`#${text}`)).toEqual(view);
});

test("options of topologies: numbers, lists, words, switches", () => {
  const [first, second] = readView("topology=ou-equidyn;construction=euclid;seed=3,d-equistatic;basis=1_5_9").topology;
  expect(first).toEqual({ name: "ou-equidyn", construction: "euclid", seed: 3 });
  expect(second).toEqual({ name: "d-equistatic", basis: [1, 5, 9] });
  // Neither name nor n are options.
  expect(readView("topology=ring;n=9;name=star;lazy=true").topology).toEqual([{ name: "ring", lazy: true }]);
});

test.each([
  ["n", "n=1"],
  ["n", "n=10001"],
  ["n", "n=abc"],
  ["n", "n="],
  ["drop", "drop=2"],
  ["t", "t=-1"],
  ["t", "t=NaN"],
  ["view", "view=nothing"],
  ["seed", "seed=1e99"],
  ["speed", "speed=%E0%A4%A"],
  ["start", "start=__proto__"],
] as const)("a wild value of %s falls back: %s", (key, text) => {
  expect(readView(text)[key]).toEqual(initialView[key]);
});

test("entries that cannot be read are left out of lists, and lists have an end", () => {
  expect(readView("topology=ring,nothing,star").topology).toEqual([{ name: "ring" }, { name: "star" }]);
  expect(readView("kill=7@3,x@4,8@9-9,5@1").kill).toEqual([
    { node: 7, from: 3 },
    { node: 5, from: 1 },
  ]);
  expect(readView("cut=3-3@1,1-2@0").cut).toEqual([{ pair: [1, 2], from: 0 }]);
  expect(readView(`topology=${"ring,".repeat(50)}ring`).topology).toHaveLength(6);
  expect(readView("kill=").kill).toEqual([]);
  expect(readView("topology=").topology).toEqual(initialView.topology);
});

test("topologies of a link past the most are named, not dropped without a word", () => {
  const link = "#view=curves&topology=ring,star,grid,nothing,torus,complete,hypercube,d-equistatic;m=9,od-equidyn";
  expect(readView(link).topology).toHaveLength(6);
  expect(withoutRoom(link)).toEqual([{ name: "d-equistatic", m: 9 }, { name: "od-equidyn" }]);
  expect(withoutRoom("topology=ring,star")).toEqual([]);
  expect(withoutRoom("")).toEqual([]);
});

test("keys that nobody knows are passed over, and the last of one key counts", () => {
  expect(readView("#&&=&foo=bar&n=5&n=7&__proto__=1")).toEqual({ ...initialView, n: 7 });
});

test("links of before still open: entries that were renamed are read under their old names", () => {
  const old = "method=dsgt&learners=6&learner=3&peers=2&lost=0.1&bytes=5&alike=1&spread=2";
  const now = "algorithm=dsgt&learningN=6&learningNode=3&degree=2&loss=0.1&modelBytes=5&heterogeneous=1&b=2";
  expect(readView(old)).toEqual(readView(now));
  expect(readView(old)).toMatchObject({ algorithm: "dsgt", learningN: 6, learningNode: 3, degree: 2, loss: 0.1, b: 2 });
  expect(writeView(readView(old))).not.toMatch(/method|learner|peers|lost|spread|alike/);
  expect(readView("peers=1&degree=4").degree).toBe(4);
});
