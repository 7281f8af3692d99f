/** The ranking as a table: what each topology takes, how sure that is, and links that show it at work. */

import { useSignal } from "@preact/signals";
import type { Advice } from "equitopo";
import { certainties } from "equitopo/internal/advise";
import { titleOf } from "equitopo/picture";
import { colourOf } from "../part/colour.ts";
import { Table } from "../part/table.tsx";
import { ViewLink } from "../part/view-link.tsx";
import { theme, view } from "../store.ts";
import type { Chosen } from "../view/topology-field.ts";
import { inTitles, type RankingRow, rankingRows } from "./rows.ts";

/** Rows before one asks for more. */
const FEW = 12;

export function Ranking({ advice }: { advice: Advice }) {
  const isAll = useSignal(false);
  const rows = rankingRows(advice);
  const isLearning = advice.question.algorithm !== undefined;
  // An all-reduce and the best of the paper's graphs are shown wherever they stand.
  const paper = rows.find((row) => row.paper);
  const visible = rows.filter((row, k) => isAll.value || k < FEW || row.chosen === undefined || row === paper);
  const sure = [...new Set(visible.map(({ certainty }) => certainty))];
  const heads = {
    ...{ degree: "degree", rounds: isLearning ? "iterations" : "rounds", time: "time", bytes: "bytes a node" },
    ...{ gain: "gain", step: "step × L", shift: "mean moves", certainty: "how sure" },
  };
  const all = Object.keys(heads) as (keyof typeof heads)[];
  const columns = all.filter((name) => visible.some((row) => row[name] !== undefined));
  return (
    <>
      <div class="ranking">
        <Table
          id="ranking"
          label="Ranking"
          caption={`Least ${advice.question.by === "time" ? "time" : "bytes"} first`}
          columns={["topology", ...columns.map((name) => heads[name]), "see it"]}
          rows={visible.map((row) => ({
            cells: [
              <RowHead key="head" row={row} />,
              ...columns.map((name) => row[name]),
              row.chosen === undefined ? "" : <See key="see" chosen={row.chosen} label={inTitles(row.label)} />,
            ],
            attributes: { "data-label": row.label },
          }))}
        />
      </div>
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

function RowHead({ row: { label, chosen, paper, alike, cost } }: { row: RankingRow }) {
  return (
    <>
      {chosen === undefined ? null : <span class="swatch" style={{ background: colourOf(chosen.name, theme()) }} />}
      {chosen !== undefined && label.startsWith(chosen.name)
        ? `${titleOf(chosen.name)}${label.slice(chosen.name.length)}`
        : label}
      {paper ? <span class="tag good">paper</span> : null}
      {alike.length === 0 ? null : (
        <span class="note" title={inTitles(alike.join(", "))}>
          {" "}
          and {alike.length} {alike.length === 1 ? "other that takes" : "others that take"} the same
        </span>
      )}
      <span class="bar" aria-hidden="true" style={{ width: `${Math.max(1, 100 * cost)}%` }} />
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
  const drop = view.value.loss;
  return (
    <span class="row tight">
      {parts.map(({ name, part }) => (
        <ViewLink key={name} shows={{ ...part, drop }} label={`${name} of ${label}`}>
          {name}
        </ViewLink>
      ))}
    </span>
  );
}
