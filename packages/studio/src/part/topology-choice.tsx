/** Choosing topologies by name: one, or several side by side, each in its colour wherever it is drawn. */

import { topologies } from "equitopo";
import { themes, topologyColour } from "equitopo/picture";
import { theme } from "../store.ts";
import type { Chosen } from "../topology-field.ts";
import { Choice, type Meaning } from "./control.tsx";

const groups = { equitopo: "The paper's", baseline: "What the paper compares with", rival: "Later ones" } as const;

/** Every registered topology that takes this n, under what it is in a comparison. */
export function topologyOptions(n: number) {
  return [...topologies]
    .filter((family) => family.refuses?.(n) === undefined)
    .map(({ name, group }) => ({ value: name, label: name, group: group === undefined ? "Others" : groups[group] }));
}

interface TopologyChoiceProps extends Meaning {
  readonly value: Chosen;
  readonly n: number;
  onChange(chosen: Chosen): void;
}

/** One topology; another name begins with its defaults. */
export function TopologyChoice({ value, n, onChange, ...meaning }: TopologyChoiceProps) {
  const { summary } = topologies.get(value.name);
  return (
    <Choice
      {...meaning}
      note={
        <>
          {summary}
          {meaning.note === undefined ? null : <>; {meaning.note}</>}
        </>
      }
      value={value.name}
      options={topologyOptions(n)}
      onChange={(name) => onChange({ name })}
    />
  );
}

/** "d-equistatic basis=1,5": its name and what sets it apart. */
export function topologyLabel({ name, ...options }: Chosen): string {
  const words = Object.entries(options).map(([key, value]) => (value === true ? key : `${key}=${String(value)}`));
  return [name, ...words].join(" ");
}

/** A topology's colour on this page's ground. */
export function colourOf({ name }: Chosen): string {
  return themes[theme()].on(topologyColour(name) ?? "#6b6b6b");
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
    <div class="field">
      <span class="field-head">
        <span>
          Topologies<var>W</var>
        </span>
      </span>
      <ul class="chosen" aria-label="Topologies shown">
        {value.map((chosen, place) => (
          <li key={topologyLabel(chosen)}>
            <span class="swatch" style={{ background: colourOf(chosen) }} />
            <span class="name">{topologyLabel(chosen)}</span>
            <button
              type="button"
              aria-label={`Leave out ${topologyLabel(chosen)}`}
              disabled={value.length === 1}
              onClick={() => onChange(value.filter((_, k) => k !== place))}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      {value.length >= most ? null : (
        <Choice
          label="Add one"
          note="who hears whom in a round; all of them see the same data"
          value=""
          options={[
            { value: "", label: "choose …" },
            ...topologyOptions(n).filter(({ value: name }) => !value.some((chosen) => topologyLabel(chosen) === name)),
          ]}
          onChange={(name) => name !== "" && onChange([...value, { name }])}
        />
      )}
    </div>
  );
}
