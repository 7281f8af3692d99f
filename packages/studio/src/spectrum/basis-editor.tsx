/** The indices of a basis by hand: a slider each, or typed all together; the rate moves along. */

import { Group } from "../part/control.tsx";
import { parseBasis, withOneMore } from "./basis.ts";

/** More sliders than anybody drags. */
const MOST_SLIDERS = 16;

type BasisEditorProps = { n: number; basis: readonly number[]; onChange(basis: readonly number[]): void };

export function BasisEditor({ n, basis, onChange }: BasisEditorProps) {
  return (
    <Group label="Basis" symbol="u₁ … uₘ" note="node i hears from i − u for every index u; drag one and watch the rate">
      <input
        type="text"
        id="basis"
        aria-label="Basis indices, typed"
        value={basis.join(", ")}
        onChange={({ currentTarget }) => {
          const typed = parseBasis(currentTarget.value, n);
          if (typed === undefined) currentTarget.value = basis.join(", ");
          else onChange(typed);
        }}
      />
      {basis.slice(0, MOST_SLIDERS).map((u, place) => (
        // An index is its place in the list; its value is what changes.
        <div class="index" key={place}>
          <input
            type="range"
            min={1}
            max={n - 1}
            value={u}
            aria-label={`u${place + 1}`}
            onInput={({ currentTarget }) => onChange(basis.with(place, currentTarget.valueAsNumber))}
          />
          <output>{u}</output>
          <button
            type="button"
            class="quiet"
            aria-label={`Leave out u${place + 1} = ${u}`}
            disabled={basis.length === 1}
            onClick={() => onChange(basis.toSpliced(place, 1))}
          >
            ×
          </button>
        </div>
      ))}
      <button type="button" onClick={() => onChange(withOneMore(basis, n))}>
        Add an index
      </button>
    </Group>
  );
}
