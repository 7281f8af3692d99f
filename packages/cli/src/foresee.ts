/**
 * What work will cost, from a small part of it that is done now: nothing here knows how fast a machine is, or how large a
 * problem of somebody's own. Right to a factor of two or so, which is what tells seconds from hours.
 */

import { createTopology, type GossipOptions, gossip, type Topology } from "equitopo";

/** Numbers that a trial draws and mixes: some tens of milliseconds. */
const TRIAL = 2e5;

/** Seconds. */
export const timed = (work: () => void) => {
  const start = performance.now();
  work();
  return (performance.now() - start) / 1000;
};

/** Seconds of a gossip run, from two rounds with fewer numbers a node; nothing where it is all too short to be worth it. */
export function foreseenGossip(topology: Topology, options: GossipOptions): number {
  const { d = 1, rounds } = options;
  const { n } = topology;
  if (n * d * (rounds + 10) < 50 * TRIAL) return 0;
  const few = Math.min(d, Math.max(1, Math.round(TRIAL / n)));
  const cost = (numbers: number) => {
    const times = [performance.now()];
    gossip(topology, { ...options, d: numbers, rounds: 3, onProgress: () => times.push(performance.now()) });
    // The first report comes once the start is drawn; of the rounds after it the least disturbed counts.
    const [start, ...each] = times.slice(1).map((time, k) => (time - times[k]) / 1000);
    return start + rounds * Math.min(...each);
  };
  // The first call of anything is its slowest.
  cost(few);
  const least = cost(few);
  // What a row costs however short it is, and what each of its numbers adds.
  return few === d ? least : least + (Math.max(0, cost(3 * few) - least) / (2 * few)) * (d - few);
}

/** Nodes of the trial of a rate. */
const SMALL = 4096;

/** Seconds of rates that have no closed form, from graphs of the same kind with fewer nodes; they grow like n^1.7. */
export function foreseenRates(all: readonly Topology[]): number {
  return all.reduce((sum, topology) => {
    if (topology.n <= SMALL) return sum;
    const small = smaller(topology);
    if (small === undefined || small(64).rate().method === "closed form") return sum;
    return sum + timed(() => small(SMALL).rate()) * (topology.n / SMALL) ** 1.7;
  }, 0);
}

/** A topology of the same kind with other n; undefined where it is of one size, or needs what was given. */
function smaller({ name }: Topology): ((n: number) => Topology) | undefined {
  const made = (n: number) => createTopology({ name, n });
  try {
    made(64);
    made(SMALL);
    return made;
  } catch {
    return undefined;
  }
}
