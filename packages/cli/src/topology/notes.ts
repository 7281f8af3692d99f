/** Notes on a topology that somebody asked for, such as that a torus of one row is a ring: once, on stderr and in JSON. */

import type { RunSpec, Topology } from "equitopo";
import { partsOf } from "equitopo/round";
import { topologyNote } from "equitopo/topology";
import { note } from "../terminal/output.ts";

/** Of the runs of a spec, before anything of them is built. */
export function tellNotes(runs: readonly RunSpec[], options: { readonly quiet?: true }): void {
  const notes = new Set(runs.map(({ topology }) => topologyNote(topology)));
  for (const text of notes) if (text !== undefined) note(text, options);
}

/** As a member of a JSON object. */
export function noteJson({ note: text }: Topology): { readonly note?: string } {
  return text === undefined ? {} : { note: text };
}

/** The parts of a static graph, which never agree with each other; 1 where rounds change, whose product may be connected. */
export function partsOfGraph(topology: Topology): number {
  return topology.kind === "static" ? partsOf(topology.round(0)) : 1;
}

export function notConnected(parts: number): string {
  return `not connected: ${parts} parts, which never agree with each other`;
}

/** What JSON has of a graph that is not connected, which is said on stderr as well. */
export function partsJson(topology: Topology, options: { readonly quiet?: true }): { readonly parts?: number } {
  const parts = partsOfGraph(topology);
  if (parts > 1) note(`${topology.name} is ${notConnected(parts)}`, options);
  return parts > 1 ? { parts } : {};
}
