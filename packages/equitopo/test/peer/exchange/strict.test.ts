/** Numbers that are not finite are refused by default, wherever in a vector they stand. */

import { describe, expect, it } from "vitest";
import { runSpecPeer } from "../../../src/peer/course/spec-peer.ts";
import { notFinite } from "../../../src/peer/exchange/transport.ts";
import { MemoryNetwork } from "../../../src/peer/network/memory.ts";
import { expandSpec } from "../../../src/run/spec.ts";

describe("a vector", () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    "with %s is told from finite ones",
    (bad) => {
      for (let length = 1; length < 10; length++) {
        for (let at = 0; at < length; at++) {
          for (const row of [new Float64Array(length).fill(Number.MAX_VALUE), new Float32Array(length).fill(-1)]) {
            expect(notFinite(row)).toBeUndefined();
            row[at] = bad;
            expect(notFinite(row)).toBe("not finite");
          }
        }
      }
      expect(notFinite(new Uint8Array(9).fill(255))).toBeUndefined();
    },
  );
});

/** Peer 3 sends NaN in some rounds and is itself again afterwards. */
class Poisoned extends MemoryNetwork {
  override carry(...[from, to, letter]: Parameters<MemoryNetwork["carry"]>): void {
    const bad = from === 3 && letter.round >= 20 && letter.round < 25 && letter.data instanceof Float64Array;
    super.carry(
      from,
      to,
      bad ? { ...letter, data: new Float64Array(letter.data?.length ?? 0).fill(Number.NaN) } : letter,
    );
  }
}

describe("one peer that sends something else than numbers", () => {
  const runs = expandSpec({
    topologies: [{ name: "ou-equidyn", n: 5, seed: 2 }],
    algorithms: [{ name: "dsgd", learningRate: 0.01 }],
    problem: { name: "least-squares", K: 5, d: 3 },
    rounds: 60,
  });

  async function train(strict: boolean | undefined): Promise<{ finite: boolean; refused: number }> {
    const network = new Poisoned(5, { delay: [1, 2] });
    const rows: number[][] = [];
    const options = { timeout: 50, ...(strict === undefined ? {} : { strict }) };
    const peers = [0, 1, 2, 3, 4].map((rank) => network.join(rank, options));
    await Promise.all(
      peers.map((transport, rank) => {
        const onRecord = ({ x }: { x: ArrayLike<number> }) => {
          rows[rank] = Array.from(x);
        };
        return runSpecPeer({ transport, runs, timeout: 50, onRecord });
      }),
    );
    const refused = peers.reduce((sum, { counts }) => sum + (counts.refused.get("not finite") ?? 0), 0);
    return { finite: rows.flat().every(Number.isFinite), refused };
  }

  it("spoils nobody's model", async () => {
    const { finite, refused } = await train(undefined);
    expect(finite).toBe(true);
    expect(refused).toBeGreaterThan(0);
  });

  it("and spoils everybody's where that was wished", async () => {
    expect(await train(false)).toEqual({ finite: false, refused: 0 });
  });
});
