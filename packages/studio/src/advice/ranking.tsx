/** The ranking as a table: what each topology takes, how sure that is, and links that show it at work. */

import { useSignal } from "@preact/signals";
import type { Advice } from "equitopo";
import { colourOf } from "../part/colour.ts";
import { change, linkTo, theme, view } from "../store.ts";
import type { Chosen } from "../topology-field.ts";
import { certainties, shownRows } from "./rows.ts";

/** Rows before one asks for more. */
const FEW = 12;

export function Ranking({ advice }: { advice: Advice }) {
  const isAll = useSignal(false);
  const rows = shownRows(advice);
  const isLearning = advice.question.algorithm !== undefined;
  // An all-reduce and the best of the paper's graphs are shown wherever they stand.
  const paper = rows.find((row) => row.paper);
  const visible = rows.filter((row, k) => isAll.value || k < FEW || row.chosen === undefined || row === paper);
  const sure = [...new Set(visible.map(({ certainty }) => certainty))];
  const has = (name: "gain" | "step" | "shift") => visible.some((row) => row[name] !== undefined);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls is scrolled by keys, too */}
      <section class="scroll" tabIndex={0} aria-label="Ranking">
        <table id="ranking" class="ranking">
          <thead>
            <tr>
              <th scope="col">topology</th>
              <th scope="col">peers</th>
              <th scope="col">{isLearning ? "iterations" : "rounds"}</th>
              <th scope="col">time</th>
              <th scope="col">bytes a node</th>
              {has("gain") ? <th scope="col">gain</th> : null}
              {has("step") ? <th scope="col">step × L</th> : null}
              {has("shift") ? <th scope="col">mean moves</th> : null}
              <th scope="col">sure</th>
              <th scope="col">see it</th>
            </tr>
          </thead>
          <tbody>
            {visible.map((row) => (
              <tr key={row.label}>
                <th scope="row" data-label={row.label}>
                  {row.chosen === undefined ? null : (
                    <span class="swatch" style={{ background: colourOf(row.chosen.name, theme()) }} />
                  )}
                  {row.label}
                  {row.paper ? <span class="tag">paper</span> : null}
                  {row.alike.length === 0 ? null : (
                    <span class="note" title={row.alike.join(", ")}>
                      {" "}
                      +{row.alike.length} alike
                    </span>
                  )}
                  <span class="bar" aria-hidden="true" style={{ width: `${Math.max(1, 100 * row.cost)}%` }} />
                </th>
                <td>{row.degree}</td>
                <td>{row.rounds}</td>
                <td>{row.time}</td>
                <td>{row.bytes}</td>
                {has("gain") ? <td>{row.gain}</td> : null}
                {has("step") ? <td>{row.step}</td> : null}
                {has("shift") ? <td>{row.shift}</td> : null}
                <td>{row.certainty}</td>
                <td>{row.chosen === undefined ? "" : <See chosen={row.chosen} label={row.label} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="note">
        {sure.map((certainty) => `${certainty}: ${certainties[certainty]}`).join("; ")}. The bar is as long as the
        topology is good: half the length takes twice as much.
      </p>
      {visible.length === rows.length && !isAll.value ? null : (
        <button type="button" onClick={() => (isAll.value = !isAll.value)}>
          {isAll.value ? "Only the first" : `All ${rows.length} rows`}
        </button>
      )}
    </>
  );
}

/** Into the rounds, and into the curves beside the ring. */
function See({ chosen, label }: { chosen: Chosen; label: string }) {
  const ring = { name: "ring" };
  const parts = [
    { name: "Rounds", part: { view: "rounds", topology: [chosen], t: undefined } },
    { name: "Curves", part: { view: "curves", topology: chosen.name === "ring" ? [chosen] : [chosen, ring] } },
    { name: "Spectrum", part: { view: "spectrum", graph: chosen, matrix: "telling" } },
  ] as const;
  // Losses of the form are those of the network in the other views.
  const drop = view.value.lost;
  return (
    <span class="see">
      {parts.map(({ name, part }) => (
        <a
          key={name}
          href={linkTo({ ...part, drop })}
          aria-label={`${name} of ${label}`}
          onClick={(event) => {
            event.preventDefault();
            change({ ...part, drop });
          }}
        >
          {name}
        </a>
      ))}
    </span>
  );
}
