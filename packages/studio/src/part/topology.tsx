/** Topologies to choose from, and by name. */

import { families } from "../catalogue.ts";
import { theme } from "../store.ts";
import { type Chosen, topologyField } from "../topology-field.ts";
import { colourOf } from "./colour.ts";
import { Choice } from "./control.tsx";
import { labelOf, titleOf } from "./name.ts";

const groups = {
  equitopo: "EquiTopo, the paper's own",
  baseline: "What the paper compares with",
  rival: "Later rivals",
};

const listed = families
  .filter(({ complete }) => complete)
  .map(({ name, group }) => ({ value: name, label: titleOf(name), group: groups[group] }));

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
  const isSpecial = value !== undefined && !listed.some((option) => option.value === written);
  const special = isSpecial ? [{ value: written, label: labelOf(value) }] : [];
  const note = families.find(({ name }) => name === value?.name)?.summary;
  return (
    <Choice
      label={label}
      symbol="W"
      note={note}
      value={written}
      options={[...(none === undefined ? [] : [{ value: "", label: none }]), ...special, ...listed]}
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
