/** What topologies are called where people read: the paper's name, or the registry's with a capital. */

const names: Readonly<Record<string, string>> = {
  "d-equistatic": "D-EquiStatic",
  "u-equistatic": "U-EquiStatic",
  "od-equidyn": "OD-EquiDyn",
  "ou-equidyn": "OU-EquiDyn",
  "ceca-1p": "CECA-1P",
  "ceca-2p": "CECA-2P",
  lps: "LPS",
};

/**
 * A title for the name of a topology. O(1).
 *
 * @example
 * ```ts
 * import { titleOf } from "equitopo/picture";
 * titleOf("od-equidyn") // => "OD-EquiDyn"
 * titleOf("one-peer-exp") // => "One peer exp"
 * ```
 */
export function titleOf(name: string): string {
  return names[name] ?? `${name[0].toUpperCase()}${name.slice(1).replaceAll("-", " ")}`;
}
