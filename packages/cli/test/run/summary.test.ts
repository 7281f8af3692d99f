import { expect, test } from "vitest";
import { sameBits } from "../../src/peers/difference.ts";
import type { RealResult } from "../../src/peers/gathered.ts";
import { summaryText } from "../../src/run/summary.ts";
import { resultOf } from "../experiments/results.ts";

const sound = resultOf({ label: "sound", metrics: { loss: [1, 0.5, 0.25] } });
const wild = resultOf({ label: "wild", metrics: { loss: [1, 1e300, Number.POSITIVE_INFINITY] } });

test("the table of runs has a column for the update by which one diverged, and only then", () => {
  const [head, , first, second] = summaryText([sound, wild]).split("\n");
  expect(head).toMatch(/run +seed +diverged +exact rate/);
  expect(first).toMatch(/^sound +0 +0\.9/);
  expect(second).toMatch(/^wild +0 +by update 2 +0\.9/);
  expect(summaryText([sound])).not.toContain("diverged");
});

test("real peers with the simulator's bits are said to have them, others not", () => {
  const real = (stateHash: string, missed = 0) =>
    ({
      ...sound,
      stateHash,
      real: { peers: 4, transport: "tcp", faults: { missed }, lost: [] },
    }) as unknown as RealResult;
  expect(sameBits([sound], [real(sound.stateHash)], false)).toBe(
    "Bit-identical to the simulation: the run's final rows, by 4 real peers over tcp, have the simulator's SHA-256.",
  );
  const one = sameBits([sound, sound], [real(sound.stateHash), real("other", 3)], false);
  expect(one).toBe(
    "1 of 2 runs are bit-identical to the simulation, by 4 real peers over tcp: 3 messages were missed.",
  );
  expect(sameBits([sound], [real("other")], true)).toMatch(/^Not bit-identical .* only a replay/);
});
