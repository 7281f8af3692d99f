/** The indices of a basis by hand: a slider each, or typed all together; the rate moves along. */

import { useId } from "preact/hooks";
import { movedTo, parseBasis, withOneMore, without } from "./basis.ts";

/** More sliders than anybody drags. */
const MOST_SLIDERS = 16;

interface BasisEditorProps {
  readonly n: number;
  readonly basis: readonly number[];
  onChange(basis: readonly number[]): void;
}

export function BasisEditor({ n, basis, onChange }: BasisEditorProps) {
  const id = useId();
  return (
    <fieldset class="field basis" aria-describedby={`${id}-note`}>
      <legend class="field-head">
        <span>
          Basis
          <var>
            u<sub>1</sub> … u<sub>M</sub>
          </var>
        </span>
      </legend>
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
            onInput={({ currentTarget }) => onChange(movedTo(basis, place, currentTarget.valueAsNumber, n))}
          />
          <output>{u}</output>
          <button
            type="button"
            aria-label={`Leave out u${place + 1} = ${u}`}
            disabled={basis.length === 1}
            onClick={() => onChange(without(basis, place))}
          >
            ×
          </button>
        </div>
      ))}
      <button type="button" onClick={() => onChange(withOneMore(basis, n))}>
        Add an index
      </button>
      <p class="note" id={`${id}-note`}>
        node i hears from i − u for every index u; drag one and watch the rate
      </p>
    </fieldset>
  );
}
