/**
 * How many links a seat would need, counted before anybody takes a seat. Chromium allows 500 RTCPeerConnections a process, a
 * tab that was reloaded still has its closed ones until they are collected, and tabs of one browser may share a process:
 * so half of that is taken for a browser's seat. What a spec asks for is never changed, only refused.
 */

import { InputError, type RunSpec } from "equitopo";
import { everyPartner, peersOf } from "equitopo/internal/peer";

/** Links that a browser's seat may have. */
export const browserLinks = 256;

/**
 * Refuses runs in which some peer would have more links than a browser allows. O(n rounds degree) beyond 257 peers, and
 * nothing below.
 *
 * @example
 * ```ts
 * import { expandSpec } from "equitopo";
 * import { requireFewLinks } from "@equitopo/web";
 * const runs = expandSpec({
 *   topologies: [{ name: "od-equidyn", n: 300, m: 16 }],
 *   algorithms: [{ name: "dsgd", learningRate: 0.01 }],
 *   problem: { name: "least-squares" },
 * });
 * requireFewLinks(runs) // => undefined
 * ```
 */
export function requireFewLinks(runs: readonly RunSpec[], most = browserLinks): void {
  const n = peersOf(runs);
  if (n - 1 <= most) return;
  for (let rank = 0; rank < n; rank++) refuseMoreLinks(runs, everyPartner(runs, rank).length, most);
}

/** Refuses so many links of one seat, where they are too many. */
export function refuseMoreLinks(runs: readonly RunSpec[], count: number, most = browserLinks): void {
  if (count <= most) return;
  const names = [...new Set(runs.map(({ topology }) => topology.name))].join(", ");
  throw new InputError(
    `a browser's seat has at most ${most} links, to all that it meets in any round`,
    `${count} (${names}, n = ${peersOf(runs)})`,
    "give the topology a basis of 16 to 32 indices (m: 16): then nobody meets more than twice as many",
  );
}
