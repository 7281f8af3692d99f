/** Choosing topologies by name: one, or several side by side, each in its colour wherever it is drawn. */

import { topologies } from "equitopo";
import { titleOf } from "equitopo/picture";
import { openGraph } from "../graph-file.ts";
import { change, theme, view } from "../store.ts";
import { MOST_TOPOLOGIES } from "../view/fields.ts";
import { type Chosen, labelOf, topologyField } from "../view/topology-field.ts";
import { colourOf } from "./colour.ts";
import { Choice, type Meaning } from "./control.tsx";

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

/** A graph of one's own from a file, which may as well be dropped on the page. */
export function GraphFile() {
  return (
    <div class="field">
      <label>
        A graph of your own{" "}
        <input
          id="graph-file"
          type="file"
          onChange={({ currentTarget: { files } }) => files?.[0] && void openGraph(files[0])}
        />
      </label>
      <p class="note">GraphML, edges, a matrix or JSON; or drop it onto the page</p>
    </div>
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

/** The topologies of the view, each with a button that takes it away, and a list to add from. */
export function TopologyList({ n }: { readonly n: number }) {
  const { topology } = view.value;
  const set = (chosen: readonly Chosen[]) => change({ topology: chosen });
  return (
    <>
      <ul class="entries" aria-label="Topologies">
        {topology.map((chosen, place) => (
          <li class="row" key={JSON.stringify(chosen)}>
            <TopologyName chosen={chosen} />
            <button
              type="button"
              class="quiet"
              aria-label={`Take out ${labelOf(chosen)}`}
              disabled={topology.length === 1}
              onClick={() => set(topology.toSpliced(place, 1))}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      {topology.length >= MOST_TOPOLOGIES ? null : (
        <TopologyChoice
          label="Add a topology"
          note="who hears whom in a round; all of them see the same data"
          none="choose…"
          value={undefined}
          n={n}
          onChange={(chosen) => chosen !== undefined && set([...topology, chosen])}
        />
      )}
    </>
  );
}
