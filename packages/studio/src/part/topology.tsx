/** Topologies by name: how they are called on the page, and the list to choose from. */

import { topologies } from "equitopo";
import { theme } from "../store.ts";
import { type Chosen, topologyField } from "../topology-field.ts";
import { colourOf } from "./colour.ts";
import { Choice } from "./control.tsx";

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

const groups = {
  equitopo: "EquiTopo, the paper's own",
  baseline: "What the paper compares with",
  rival: "Later rivals",
};

const families = topologies
  .filter(({ options }) => Object.values(options).every(({ required }) => required !== true))
  .map(({ name, group }) => ({ value: name, label: titleOf(name), group: groups[group ?? "rival"] }));

interface TopologyChoiceProps {
  readonly label: string;
  readonly value: Chosen | undefined;
  /** What it is called to choose none; left out where one must be chosen. */
  readonly none?: string;
  onChange(chosen: Chosen | undefined): void;
}

/** A list of all families. One that came with options of its own (by a link) stays in the list as it is. */
export function TopologyChoice({ label, value, none, onChange }: TopologyChoiceProps) {
  const written = value === undefined ? "" : topologyField.write(value);
  const special =
    written === "" || topologies.has(written) ? [] : [{ value: written, label: labelOf(value as Chosen) }];
  const note = value === undefined ? undefined : topologies.get(value.name).summary;
  return (
    <Choice
      label={label}
      symbol="W"
      note={note}
      value={written}
      options={[...(none === undefined ? [] : [{ value: "", label: none }]), ...special, ...families]}
      onChange={(text) => onChange(topologyField.read(text))}
    />
  );
}

/** A dot in the topology's colour, and its name. */
export function TopologyName({ chosen }: { chosen: Chosen }) {
  return (
    <span class="topology-name">
      <span class="swatch" style={{ background: colourOf(chosen.name, theme()) }} />
      {labelOf(chosen)}
    </span>
  );
}
