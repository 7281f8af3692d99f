/** How topologies are called on the page. */

import { titleOf } from "equitopo/picture";
import type { Chosen } from "../topology-field.ts";

/** With the options that it was given: "D-EquiStatic, m = 9". */
export function labelOf({ name, ...options }: Chosen): string {
  const given = Object.entries(options).filter(([key]) => key !== "n");
  return [titleOf(name), ...given.map(([key, value]) => `${key} = ${String(value)}`)].join(", ");
}
