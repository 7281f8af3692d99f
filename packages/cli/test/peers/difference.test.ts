import { expect, test } from "vitest";
import { resultOf } from "../../../equitopo/test/outcome/results.ts";
import type { RealResult } from "../../src/peers/collector.ts";
import { sameBits } from "../../src/peers/difference.ts";

const simulated = resultOf({ label: "a", metrics: { loss: [1, 0.5] } });
const real = (stateHash: string, missed = 0, voided = 0, lost: number[] = []) =>
  ({
    ...simulated,
    stateHash,
    real: { peers: 4, transport: "tcp", faults: { missed, voided }, lost },
  }) as unknown as RealResult;

test("real peers with the simulator's bits are said to have them, others not", () => {
  expect(sameBits([simulated], [real(simulated.stateHash)], false)).toBe(
    "Bit-identical to the simulation: the run's final rows, by 4 real peers over tcp, have the simulator's SHA-256.",
  );
  const one = sameBits([simulated, simulated], [real(simulated.stateHash), real("other", 3)], false);
  expect(one).toBe(
    "1 of 2 runs are bit-identical to the simulation, by 4 real peers over tcp: 3 messages were missed.",
  );
  expect(sameBits([simulated], [real("other", 0, 2, [3])], false)).toMatch(
    /: 2 exchanges were void, 1 peers did not reach the end\.$/,
  );
  expect(sameBits([simulated], [real("other")], false)).toMatch(/: why is not known, as no message was missed\.$/);
  expect(sameBits([simulated], [real("other")], true)).toMatch(/^Not bit-identical .* only a replay/);
});
