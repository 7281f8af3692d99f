/** What is said before a long rate, refused where there is no room, and shown while it lasts. */

import { worked } from "equitopo/rate";
import { describe, expect, it } from "vitest";
import { rateMeter, requireRoom, tellWork } from "../src/rate-work.ts";
import { equitopo } from "./command.ts";

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
      tellWork({ name, n }, {});
    } finally {
      process.stderr.write = write;
    }
    return lines.join("");
  };
  expect(said("grid", 1_000_000)).toMatch(/^this takes about \d+ min; Ctrl-C stops it\n$/);
  expect(said("d-equistatic", 2_000_000_000)).toMatch(/^this takes about \d+ s; Ctrl-C stops it\n$/);
  expect(said("erdos-renyi", 1_000_000)).toMatch(/^this takes about \d+ min and 1\.\d+ GB of memory; /);
  expect(said("d-equistatic", 1_000_000)).toBe("");
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
    const meter = rateMeter("rate of it", work, { stream, now });
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

  it("is a count elsewhere", () => {
    expect(shown(undefined)).toContain("rate of it: 2,000 million operations so far");
  });
});
