/** What a summary says of partners that never came, and that losses on purpose are none of them. */

import { expect, it } from "vitest";
import { runSpecPeer } from "../../../src/peer/course/spec-peer.ts";
import { Encounters } from "../../../src/peer/mixing/encounters.ts";
import { MemoryNetwork } from "../../../src/peer/network/memory.ts";
import { expandSpec } from "../../../src/run/spec.ts";

it("counts partners, not vectors, and leaves out what was lost on purpose", () => {
  const encounters = new Encounters();
  encounters.note({ partners: [1, 2, 3], missing: [2, 3], lost: [3], mended: [], waited: 0 });
  encounters.note({ partners: [1, 2], missing: [], lost: [], mended: [], waited: 0 });
  encounters.note({ partners: [4], missing: [4], lost: [], mended: [], waited: 0 });
  expect(encounters.neverHeard).toEqual([4]);
  // Peer 2 voted late in the first.
  encounters.note({ partners: [4], missing: [4], lost: [], mended: [2], waited: 0 });
  expect(encounters.tally).toEqual({ planned: 6, done: 4, void: 2 });
  expect(encounters.neverHeard).toEqual([4]);
});

it("a peer that never took part is named by its neighbours", async () => {
  const runs = expandSpec({
    topologies: [{ name: "ring", n: 4 }],
    algorithms: [{ name: "dsgd", learningRate: 0.01 }],
    problem: { name: "least-squares", K: 2, d: 2 },
    rounds: 12,
    faults: { drop: 0.2 },
  });
  const network = new MemoryNetwork(4, { delay: [1, 2] });
  const summaries = await Promise.all(
    [0, 1, 2].map((rank) => runSpecPeer({ transport: network.join(rank), runs, timeout: 20, startTimeout: 50 })),
  );
  expect(summaries.map(({ neverHeard }) => neverHeard)).toEqual([[3], [], [3]]);
  const planned = summaries.map(({ exchanges }) => exchanges.planned);
  for (const count of planned) expect(count).toBeLessThan(24);
  // All with peer 3 are void, and those with peer 1 take place.
  expect(summaries[0].exchanges.void).toBeGreaterThan(planned[0] / 3);
  expect(summaries[1].exchanges.done).toBeGreaterThan(planned[1] / 2);
});
