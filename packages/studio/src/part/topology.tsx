/** Choosing topologies by name: one, or several side by side, each in its colour wherever it is drawn. */

import { topologies } from "equitopo";
import { titleOf } from "equitopo/picture";
import { theme } from "../store.ts";
import { type Chosen, topologyField } from "../topology-field.ts";
import { colourOf } from "./colour.ts";
import { Choice, type Meaning } from "./control.tsx";
import { labelOf } from "./name.ts";

const groups = { equitopo: "The paper’s own", baseline: "What the paper compares with", rival: "Later ones" } as const;

/** Every topology that needs no more than n; where it refuses this n, that is said beside its name. */
function topologyOptions(n: number | undefined) {
  return topologies
    .filter(({ options }) => Object.values(options).every(({ required }) => required !== true))
    .map(({ name, group, refuses }) => {
      const refusal = n === undefined ? undefined : refuses?.(n);
      const label = refusal === undefined ? titleOf(name) : `${titleOf(name)} (${refusal})`;
      return { value: name, label, group: group === undefined ? "Others" : groups[group] };
    });
}

interface TopologyChoiceProps extends Meaning {
  readonly value: Chosen | undefined;
  /** Where it is known: those that refuse this size say so. */
  readonly n?: number;
  /** What it is called to choose none; left out where one must be chosen. */
  readonly none?: string;
  onChange(chosen: Chosen | undefined): void;
}

/** A list of all families. One that came with options of its own (by a link) stays in the list as it is. */
export function TopologyChoice({ value, n, none, onChange, ...meaning }: TopologyChoiceProps) {
  const written = value === undefined ? "" : topologyField.write(value);
  const listed = topologyOptions(n);
  const isSpecial = value !== undefined && !listed.some((option) => option.value === written);
  const special = isSpecial ? [{ value: written, label: labelOf(value) }] : [];
  const summary = value === undefined ? undefined : topologies.get(value.name).summary;
  return (
    <Choice
      {...meaning}
      symbol="W"
      note={[summary, meaning.note].filter(Boolean).join("; ")}
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
      <span class="name">{labelOf(chosen)}</span>
    </span>
  );
}

interface TopologyListProps {
  readonly value: readonly Chosen[];
  readonly n: number;
  readonly most: number;
  onChange(chosen: readonly Chosen[]): void;
}

/** Several topologies, each with a button that takes it away, and a list to add from. */
export function TopologyList({ value, n, most, onChange }: TopologyListProps) {
  return (
    <>
      <ul class="entries" aria-label="Topologies">
        {value.map((chosen, place) => (
          <li key={JSON.stringify(chosen)}>
            <TopologyName chosen={chosen} />
            <button
              type="button"
              class="quiet"
              aria-label={`Take out ${labelOf(chosen)}`}
              disabled={value.length === 1}
              onClick={() => onChange(value.filter((_, k) => k !== place))}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      {value.length >= most ? null : (
        <TopologyChoice
          label="Add a topology"
          note="who hears whom in a round; all of them see the same data"
          none="choose…"
          value={undefined}
          n={n}
          onChange={(chosen) => chosen !== undefined && onChange([...value, chosen])}
        />
      )}
    </>
  );
}
