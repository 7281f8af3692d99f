/** A graph in several parts never agrees as a whole, however long it gossips: told before anybody waits for it. */

import type { Topology } from "equitopo";
import { partsOf } from "equitopo/round";

/** The parts of a static graph; 1 where rounds change, each of which may well be in parts while their product is not. */
export function partsOfGraph(topology: Topology): number {
  return topology.kind === "static" ? partsOf(topology.round(0)) : 1;
}

export function notConnected(parts: number): string {
  return `not connected: ${parts} parts, which never agree with each other`;
}
