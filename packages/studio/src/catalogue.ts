/**
 * The families of the library, as the page lists them. The page's build evaluates this file and writes its exports down as
 * plain values (scripts/build.mjs), so that the page does not carry the library a second time: that is in the worker.
 */

import { topologies } from "equitopo";
import { topologyColour } from "equitopo/picture";

export interface Listed {
  readonly name: string;
  readonly summary: string;
  readonly group: "equitopo" | "baseline" | "rival";
  /** On light ground. */
  readonly colour: string;
  /** Whether its name and n are enough. */
  readonly complete: boolean;
}

export const families: readonly Listed[] = topologies.map(({ name, summary, group = "rival", options }) => ({
  ...{ name, summary, group },
  colour: topologyColour(name) ?? "#1a1a1a",
  complete: Object.values(options).every(({ required }) => required !== true),
}));
