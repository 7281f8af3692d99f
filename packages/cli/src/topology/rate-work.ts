/** Whether this machine has room for topologies, asked before anything of them is built. */

import type { TopologySpec } from "equitopo";
import type { RateWork } from "equitopo/rate";
import { rateWork } from "equitopo/topology";
import { attempt } from "../input/attempt.ts";
import { type Memory, requireHeap, requireMemory, roomHere, sayCost } from "../terminal/cost.ts";
import { showCount } from "../terminal/numbers.ts";

/** What the topology and its rate will take; undefined where nobody has measured it. */
export function requireRoom(spec: TopologySpec, room = roomHere()): RateWork | undefined {
  const work = rateWork(spec);
  if (work !== undefined) checkRoom(`${spec.name} of n = ${showCount(spec.n)}`, spec.n, work, room);
  return work;
}

/** The same for several topologies at once, with what else is held for each; if it is much, it is announced. */
export function requireRoomForAll(
  specs: readonly TopologySpec[],
  perNode: number,
  options: { readonly quiet?: true },
  room = roomHere(),
): void {
  // Nothing of options that will be refused.
  const works = specs.map((spec) => attempt(() => rateWork(spec)) ?? { bytes: 0, heap: 0 });
  const sum = (key: keyof Memory) => works.reduce((total, work) => total + work[key], 0);
  const { n } = specs[0];
  const work = { bytes: sum("bytes") + perNode * n, heap: sum("heap") };
  checkRoom(specs.length === 1 ? specs[0].name : `${specs.length} topologies of n = ${showCount(n)}`, n, work, room);
  sayCost(work, options);
}

function checkRoom(what: string, n: number, { bytes, heap }: Memory, room: Memory): void {
  // A round n that would have room, with some to spare.
  const fits = 0.7 * n * Math.min(room.bytes / bytes, room.heap / heap);
  const power = 10 ** Math.floor(Math.log10(Math.max(fits, 10)));
  const remedy = `try --n ${Math.max(2, Math.floor(fits / power) * power)}`;
  requireMemory(what, bytes, remedy, room);
  requireHeap(what, heap, `${remedy}, or `, room);
}
