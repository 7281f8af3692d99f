/** How topologies are called on the page. */

import type { Chosen } from "../topology-field.ts";

const names: Readonly<Record<string, string>> = {
  "d-equistatic": "D-EquiStatic",
  "u-equistatic": "U-EquiStatic",
  "od-equidyn": "OD-EquiDyn",
  "ou-equidyn": "OU-EquiDyn",
  "ceca-1p": "CECA-1P",
  "ceca-2p": "CECA-2P",
  lps: "LPS",
};

/** OD-EquiDyn, One-peer exp: the paper's name, or the registry's with a capital. */
export function titleOf(name: string): string {
  return names[name] ?? `${name[0].toUpperCase()}${name.slice(1).replaceAll("-", " ")}`;
}

/** With the options that it was given: "D-EquiStatic, m = 9". */
export function labelOf({ name, ...options }: Chosen): string {
  const given = Object.entries(options).filter(([key]) => key !== "n");
  return [titleOf(name), ...given.map(([key, value]) => `${key} = ${String(value)}`)].join(", ");
}
