/** The families of the library, as the page lists them. */

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
