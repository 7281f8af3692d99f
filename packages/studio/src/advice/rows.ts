/** The ranking as the page shows it: rows that say the same stand together, and each can be seen in another view. */

import { type Advice, type AdviceRow, type TopologySpec, topologies } from "equitopo";
import { alike } from "equitopo/internal/advise";
import { showBytes, showCount, showSeconds, titleOf } from "equitopo/internal/picture";
import type { Chosen } from "../view/topology-field.ts";

export type RankingRow = ReturnType<typeof rankingRows>[number];

/** Rows of the ranking, those one after another that differ in nothing but the name together. O(rows). */
export function rankingRows({ ranking, question }: Advice) {
  const costOf = (row: AdviceRow) => (question.by === "time" ? row.seconds : row.bytes);
  const least = costOf(ranking[0]);
  return alike(ranking).map(([row, ...others]) => ({
    /** `alike`: others that say the same under other names. */
    ...{ label: row.label, alike: others.map(({ label }) => label), certainty: row.certainty },
    degree: showCount(row.degree),
    rounds: showCount(row.rounds),
    time: showSeconds(row.seconds),
    bytes: showBytes(row.bytes),
    gain: row.gain?.toFixed(2),
    step: row.step === undefined ? undefined : String(Number(row.step.toPrecision(2))),
    shift: row.shift === undefined ? undefined : row.shift < 1e-9 ? "0" : row.shift.toFixed(4),
    paper: row.group === "equitopo" && row.spec?.["relabel"] !== true,
    /** The least cost as a share of this one, for a bar. */
    cost: costOf(row) === 0 ? 1 : least / costOf(row),
    /** What builds it; none for an all-reduce. */
    chosen: row.spec && withoutSize(row.spec),
  }));
}

/** A spec as the address writes it; what was drawn is drawn again from its seed. */
const withoutSize = ({ n: _, ...chosen }: TopologySpec): Chosen => chosen;

const paperNames = topologies.filter(({ group }) => group === "equitopo").map(({ name }) => name);

/** A text with the paper's topologies under their titles: OD-EquiDyn, as everywhere on the page. */
export function inTitles(text: string): string {
  return paperNames.reduce((so, name) => so.replaceAll(name, titleOf(name)), text);
}
