/** What is said before a long rate, refused where there is no room, and shown while it lasts. */

import { worked } from "equitopo/internal/rate";
import { describe, expect, it, vi } from "vitest";
import { sayCost, workMeter } from "../../src/terminal/cost.ts";
import { requireRoom, requireRoomForAll } from "../../src/topology/rate-work.ts";
import { equitopo } from "../command.ts";

const gigabyte = 1e9;

describe("what cannot fit", () => {
  it("is refused before it is begun, with the rule, the value and an n that fits", () => {
    const spec = { name: "erdos-renyi", n: 1e7 };
    const refused = (room: { bytes: number; heap: number }) => {
      try {
        requireRoom(spec, room);
        return "";
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(refused({ bytes: 4 * gigabyte, heap: 4 * gigabyte })).toMatch(
      /^erdos-renyi of n = 10,000,000 must fit into this machine's 4\.00 GB of memory, got "about 15\.\d GB"; try --n 1000000$/,
    );
    expect(refused({ bytes: 40 * gigabyte, heap: 4 * gigabyte })).toMatch(
      /lists of erdos-renyi .* 4\.00 GB that Node grants them, got "about 10\.\d GB"; try --n 2000000, or set NODE_OPTIONS=--max-old-space-size=\d+$/,
    );
    expect(refused({ bytes: 40 * gigabyte, heap: 40 * gigabyte })).toBe("");
  });

  it("so are topologies that fit one by one and not side by side, as compare has them", async () => {
    const specs = ["erdos-renyi", "geometric", "ring"].map((name) => ({ name, n: 1e6 }));
    const room = { bytes: 4.5 * gigabyte, heap: 4.5 * gigabyte };
    for (const spec of specs) expect(() => requireRoom(spec, room)).not.toThrow();
    expect(() => requireRoomForAll(specs, 128, {}, room)).toThrow(
      /^3 topologies of n = 1,000,000 must fit into this machine's 4\.50 GB of memory, got "about 5\.\d+ GB"; try --n \d00000$/,
    );
    for (const words of ["--topologies erdos-renyi,grid", "--all --degree 4"]) {
      const { status, stdout, stderr } = await equitopo(`compare --n 2e9 ${words}`);
      const rule = /^error: (the lists of )?\d+ topologies of n = 2,000,000,000 must fit into .*; try --n \d+/;
      expect([status, stdout, stderr]).toEqual([2, "", expect.stringMatching(rule)]);
    }
  });

  it("so does every command that names a topology", async () => {
    const graph = /^error: geometric of n = 2,000,000,000 must fit into this machine's .*; try --n \d+\n$/;
    // What its nodes hold is more than the graph, and told first.
    const rows = /^error: the work must fit into this machine's .*; try a smaller n or --dim, or --float32\n$/;
    for (const [words, rule] of [
      ["rate", graph],
      ["graph", graph],
      ["theory --topology", graph],
      ["gossip", rows],
    ] as const) {
      const { status, stdout, stderr } = await equitopo(`${words} geometric --n 2e9`);
      expect([status, stdout, stderr]).toEqual([2, "", expect.stringMatching(rule)]);
    }
  });
});

it("says what takes long, and nothing of what does not", () => {
  const said = (name: string, n: number) => {
    const lines: string[] = [];
    const write = process.stderr.write;
    process.stderr.write = (text) => lines.push(String(text)) > 0;
    try {
      sayCost(requireRoom({ name, n })!, {});
    } finally {
      process.stderr.write = write;
    }
    return lines.join("");
  };
  expect(said("grid", 1_000_000)).toMatch(/^this takes about \d+ min; Ctrl-C stops it\n$/);
  expect(said("d-equistatic", 2_000_000_000)).toMatch(/^this takes about \d+ s; Ctrl-C stops it\n$/);
  expect(said("erdos-renyi", 1_000_000)).toMatch(/^this takes about \d+ min and 1\.\d+ GB of memory; /);
  expect(said("random-permutations", 100_000)).toMatch(/^this takes about \d+ (s|min); Ctrl-C stops it\n$/);
  expect(said("d-equistatic", 1_000_000)).toBe("");
  // Exact after a few rounds, which nobody looks into at that size.
  expect(said("ceca-2p", 10_000_000)).toBe("");
  expect(said("grid", 900)).toBe("");
});

describe("the meter", () => {
  function shown(spec: { name: string; n: number } | undefined): string {
    const lines: string[] = [];
    let time = 0;
    // A second between two looks at the clock: the line shows itself after two.
    const now = () => {
      time += 1000;
      return time;
    };
    const stream = { isTTY: true, columns: 100, write: (text: string) => lines.push(text) };
    const work = spec && requireRoom(spec);
    const meter = workMeter("rate of it", work?.operations, { stream, now });
    const total = work?.operations ?? 4e9;
    meter.run(() => {
      // What is computed tells through the same door.
      for (let k = 0; k < 4; k++) worked(total / 8);
    });
    meter.end();
    return lines.join("");
  }

  it("is a bar with the time left where the end is known", () => {
    expect(shown({ name: "grid", n: 900 })).toMatch(/rate of it █+░+ +\d+%, \d+ s left/);
  });

  it("is there while a graph is drawn and made, whatever command needs it", async () => {
    // As above: a second between two looks at the clock, on a terminal.
    let time = 0;
    vi.spyOn(performance, "now").mockImplementation(() => {
      time += 1000;
      return time;
    });
    const { isTTY } = process.stderr;
    process.stderr.isTTY = true;
    try {
      for (const [words, shown] of [
        ["gossip erdos-renyi --n 1500 --dim 1 --rounds 1", /making erdos-renyi █*░+ +\d+%/],
        ["gossip random-regular --n 1500 --dim 1 --rounds 1", /making random-regular █*░+ +\d+%/],
        ["graph random-permutations --n 500", /making random-permutations █*░+ +\d+%/],
        ["rate geometric --n 600", /rate of geometric █*░+ +\d+%/],
        ["compare --n 600 --topologies erdos-renyi,ring", /making the topologies \.\.\..*1 of 2: erdos-renyi: rate, /s],
      ] as const) {
        expect((await equitopo(words)).stderr).toMatch(shown);
        expect((await equitopo(`${words} --quiet`)).stderr).toBe("");
      }
    } finally {
      process.stderr.isTTY = isTTY;
      vi.restoreAllMocks();
    }
  });

  it("is a count elsewhere", () => {
    expect(shown(undefined)).toContain("rate of it: 2,000 million operations so far");
  });
});
