/** Survivors close ranks: on memory networks that stand for an engine which can, such as MPI with ULFM. */

import { describe, expect, it } from "vitest";
import { runSpecPeer } from "../../../src/peer/course/spec-peer.ts";
import { topologyFor } from "../../../src/peer/course/survivors.ts";
import type { Counts, ExchangeOutcome, Request, Transport } from "../../../src/peer/exchange/transport.ts";
import { MemoryNetwork } from "../../../src/peer/network/memory.ts";
import { createProblem } from "../../../src/problem/registry.ts";
import { expandSpec } from "../../../src/run/spec.ts";

/** Peer 2 of five dies; whoever misses it knows, and the first to shrink makes all others miss everybody. */
class Engine {
  readonly #whole = new MemoryNetwork(5, { delay: [1, 3] });
  readonly #rest = new MemoryNetwork(4, { delay: [1, 3] });
  revoked = false;

  join(rank: number): Transport {
    const engine = this;
    let inner = this.#whole.join(rank);
    let lost = false;
    return {
      name: "engine",
      get rank() {
        return inner.rank;
      },
      get size() {
        return inner.size;
      },
      get counts(): Counts {
        return inner.counts;
      },
      get reached() {
        return inner.reached;
      },
      get lost() {
        return lost;
      },
      async exchange(request: Request): Promise<ExchangeOutcome> {
        const outcome = await inner.exchange({ ...request, timeout: 20 });
        const missed = outcome.arrived.some((vector) => vector === undefined);
        if (inner.size === 5 && missed) lost = true;
        return outcome;
      },
      async shrink() {
        engine.revoked = true;
        await inner.close();
        inner = engine.#rest.join(rank > 2 ? rank - 1 : rank);
        lost = false;
        // All have to be there before anyone goes on, as in MPIX_Comm_shrink.
        await engine.#rest.sleep(1);
      },
      close: () => inner.close(),
    };
  }

  kill(): void {
    this.#whole.crash(2);
  }
}

describe("survivors", () => {
  it("have the same family and seed, and a basis of the same size", () => {
    const four = topologyFor({ name: "d-equistatic", n: 5, basis: [1, 3], seed: 7 }, 4);
    expect(four.n).toBe(4);
    expect(four.maxDegree).toBeLessThanOrEqual(2);
    expect(topologyFor({ name: "ou-equidyn", n: 5, seed: 7 }, 4).spec).toMatchObject({
      name: "ou-equidyn",
      n: 4,
      seed: 7,
    });
  });

  it("close ranks, agree on the next iteration, and train on with their own data", async () => {
    const runs = expandSpec({
      topologies: [{ name: "d-equistatic", n: 5, m: 2 }],
      algorithms: [{ name: "dsgd", learningRate: { name: "step", rate: 0.02, factor: 2, every: 100 } }],
      problem: { name: "least-squares", K: 10, sigmaN: 0, sigmaH: 0 },
      rounds: 400,
      seeds: [3],
    });
    const engine = new Engine();
    const rows: number[][] = [];
    const sizes: number[] = [];
    await Promise.all(
      [0, 1, 2, 3, 4].map(async (rank) => {
        const transport = engine.join(rank);
        const peer = runSpecPeer({
          ...{ transport, runs, timeout: 1000 },
          onRound: (_, { round }) => {
            if (rank === 2 && round === 30) engine.kill();
          },
          onRecord: ({ x }) => {
            rows[rank] = [...x];
          },
        });
        if (rank === 2) await expect(peer).rejects.toThrow(/closed/);
        else {
          await peer;
          sizes[rank] = transport.size;
        }
      }),
    );
    expect(engine.revoked).toBe(true);
    expect([0, 1, 3, 4].map((rank) => sizes[rank])).toEqual([4, 4, 4, 4]);
    rows[2] = rows[0];
    const problem = createProblem(runs[0].problem);
    expect(problem.metrics(Float64Array.from(rows.flat()))["relativeError"]).toBeLessThan(0.02);
  });
});
