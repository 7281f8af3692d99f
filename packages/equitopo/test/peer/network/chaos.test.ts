/**
 * Thousands of fault schedules on the modelled network: whatever happens, the histories of all peers must fit together, and
 * everybody that is not killed must come to the end. A schedule that fails is shrunk, and the smallest is printed.
 */

import { describe, expect, it } from "vitest";
import type { Letter } from "../../../src/peer/exchange/lane.ts";
import { ConnectedNetwork } from "../../../src/peer/network/connections.ts";
import { RandomStream } from "../../../src/random/stream.ts";
import { drawSchedule, type Fault, faultKinds, shrinkSchedule } from "../../../src/testing/schedule.ts";
import { createTopology } from "../../../src/topology/registry.ts";
import { type Played, play, type Scenario } from "../scenario.ts";

const schedules = Number(process.env["EQUITOPO_SCHEDULES"] ?? 2000);
const [timeout, rounds, seed] = [40, 8, 1];

/** The scenario of a number: another topology, another network, other faults. */
function scenarioOf(number: number): Scenario {
  const dice = new RandomStream(seed, 1, number);
  const n = 3 + dice.below(2);
  const specs = [
    { name: "ou-equidyn", n, seed: number },
    { name: "u-equistatic", n, m: 1, seed: number },
    { name: "ring", n },
    { name: "complete", n },
    { name: "od-equidyn", n, seed: number },
  ];
  const topology = createTopology(specs[dice.below(specs.length)]);
  const delay = [1, 2 + dice.below(8)] as const;
  const loss = dice.below(3) === 0 ? 0.05 : 0;
  const connections = {
    ...{ seed: number, delay, loss, resend: 12 + dice.below(40) },
    ...{ detect: 60, giveUp: 90, grace: 30 + dice.below(60), tells: dice.below(2) === 0 },
  };
  const drawn = { seed, number, peers: n, span: 80, longest: 150, most: 5, kinds: faultKinds };
  return { topology, rounds, timeout, connections, faults: drawSchedule(drawn) };
}

const wrong = ({ violations, reached, counts }: Played) =>
  violations.length > 0 || reached.filter(({ round }) => round < rounds).length > counts.killed;

async function expectWell(number: number, scenario: Scenario): Promise<Played> {
  const played = await play(scenario);
  if (!wrong(played)) return played;
  const smallest = await shrinkSchedule(scenario.faults, async (faults) => wrong(await play({ ...scenario, faults })));
  const { violations, reached } = await play({ ...scenario, faults: smallest });
  return expect.fail(
    `schedule ${number}, ${scenario.topology.name}: ${JSON.stringify(smallest)}\n${JSON.stringify({ violations, reached })}`,
  );
}

describe("fault schedules", () => {
  it(`${schedules} of them leave histories that fit together`, { timeout: 180_000 }, async () => {
    const seen = { applied: 0, void: 0, missed: 0, window: 0, cutOff: 0, killed: 0, shifted: 0, vectors: 0 };
    for (let number = 0; number < schedules; number++) {
      const { counts } = await expectWell(number, scenarioOf(number));
      for (const key of Object.keys(seen) as (keyof typeof seen)[]) seen[key] += counts[key];
    }
    // Everything that is excused did happen, and far more was applied.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(schedules / 20);
    expect(seen.applied).toBeGreaterThan(10 * seen.window);
  });

  it("come out the same every time", async () => {
    for (let number = 0; number < 5; number++) {
      const [once, again] = [await play(scenarioOf(number)), await play(scenarioOf(number))];
      expect(again).toEqual(once);
    }
  });

  it("find a defect, and are shrunk to what shows it", async () => {
    /** After a break an old vector is handed over once more, under the number of the round that is awaited. */
    class Forgetful extends ConnectedNetwork {
      readonly #old = new Map<number, Letter>();
      #broken = false;
      override break(from: number, to: number): void {
        this.#broken = true;
        super.break(from, to);
      }
      protected override hand(from: number, to: number, letter: Letter): void {
        const way = from * this.size + to;
        const old = this.#old.get(way);
        if (letter.kind === "vector") this.#old.set(way, { ...letter, data: letter.data?.slice() });
        const stale = this.#broken && letter.kind === "vector" && old !== undefined;
        super.hand(from, to, stale ? { ...letter, data: old.data?.slice() } : letter);
      }
    }
    const scenario: Scenario = {
      ...{ topology: createTopology({ name: "ring", n: 3 }), rounds, timeout, connections: { delay: [1, 3] } },
      open: (size, options) => new Forgetful(size, options),
      faults: [
        { at: 5, kind: "stop", peer: 1, for: 9 },
        { at: 12, kind: "break", from: 0, to: 2 },
        { at: 20, kind: "cut", side: [1], for: 30 },
      ],
    };
    const fails = async (faults: readonly Fault[]) =>
      (await play({ ...scenario, faults })).violations.some(({ rule }) => rule === "round");
    expect(await fails(scenario.faults)).toBe(true);
    const smallest = await shrinkSchedule(scenario.faults, fails);
    expect(smallest).toHaveLength(1);
    expect(smallest[0].kind).toBe("break");
  });
});
