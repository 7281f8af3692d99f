/** What is worth knowing of a topology that somebody asked for: a torus of one row is a ring. Told once, on stderr and in JSON. */

import type { RunSpec, Topology } from "equitopo";
import { topologyNote } from "equitopo/topology";
import { note } from "./output.ts";

export function tellNote(topology: Topology, options: { readonly quiet?: true }): void {
  if (topology.note !== undefined) note(topology.note, options);
}

/** The same of the runs of a spec, before anything of them is built. */
export function tellNotes(runs: readonly RunSpec[], options: { readonly quiet?: true }): void {
  const notes = new Set(runs.map(({ topology }) => topologyNote(topology)));
  for (const text of notes) if (text !== undefined) note(text, options);
}

/** As a member of a JSON object. */
export function noteJson({ note: text }: Topology): { readonly note?: string } {
  return text === undefined ? {} : { note: text };
}
