/** `equitopo train text`: it learns, keeps its folder, goes on, and its model writes. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openText } from "@equitopo/nn";
import { expect, it } from "vitest";
import { equitopo, parsed, scratch, spawned } from "../../command.ts";

const folder = scratch();
const place = (name: string) => join(folder, name);
const text = openText({ name: "grammar", bytes: 6000 }, { seed: 1 });
writeFileSync(place("one.txt"), text.map(({ bytes }) => new TextDecoder().decode(bytes)).join(""));
const small = "--nodes 3 --layers 1 --heads 2 --width 32 --context 16 --batch 8 --learning-rate 0.01";

it("trains on a file, says what it came to, and generates from it", () => {
  const words = `train gpt --data ${place("one.txt")} ${small} --updates 200`;
  const one = parsed(spawned(`${words} --workers 1 --out ${place("run")} --json`));
  expect(one).toMatchObject({ version: 1, updates: 200, vocabulary: expect.any(Number), model: "gpt" });
  expect(one.history.length).toBe(5);
  // The letters alone have an entropy of 2.8 nats.
  expect(one.averagedLoss).toBeLessThan(1.5);
  expect(one.worstLoss).toBeGreaterThanOrEqual(one.meanLoss);
  expect(one.averagedBitsPerByte).toBeCloseTo(one.averagedLoss / Math.LN2, 9);
  expect(one.history[0].worstLoss).toBeNull();
  for (const name of ["model.safetensors", "history.csv", "training.svg", "report.html"]) {
    expect(existsSync(place(`run/${name}`))).toBe(true);
  }
  expect(JSON.parse(readFileSync(place("run/result.json"), "utf8"))).toEqual(one);
  const two = parsed(spawned(`${words} --workers 2 --out ${place("two")} --json`));
  expect(two.stateHash).toBe(one.stateHash);
  const model = place("run/model.safetensors");
  const written = parsed(spawned(`generate ${model} --prompt the --tokens 60 --temperature 0.5 --json`));
  expect(written.text).toMatch(/ the |\nthe /);
  // A run's spec on real peers is the same run.
  const { stdout } = spawned(`${words} --spec`);
  writeFileSync(place("spec.yaml"), stdout);
  const peers = parsed(
    spawned(`run ${place("spec.yaml")} --data ${folder} --transport threads --out ${place("real")} --json`),
  );
  expect(peers.stateHash).toBe(one.stateHash);
  const { stderr } = spawned(
    `train text --data ${folder} ${small} --updates 20 --tokens bytes --out ${place("bytes")}`,
  );
  expect(stderr).toMatch(/update 4\/20: loss \d\.\d+, averaged \d\.\d+ \(\d\.\d+ bits a byte\), \d+ tokens\/s/);
});

it("refuses flags of images, images those of texts, and prints a spec", async () => {
  for (const flag of ["--images 5", "--momentum 0.5", "--device gpu", "--evaluate share"]) {
    expect((await equitopo(`train grammar ${flag}`)).status).toBe(2);
  }
  expect((await equitopo("train synthetic --updates 5")).stderr).toContain("--updates belongs to a text");
  expect((await equitopo(`train text --data ${place("none")}`)).status).toBe(2);
  const spec = (await equitopo("train grammar --nodes 3 --width 32 --split by-file --spec")).stdout;
  expect(spec).toContain("split: by-file");
  expect(spec).toContain("name: gossip-diloco");
});
