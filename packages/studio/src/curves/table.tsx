/** The curves in numbers: what theory says, what was measured, and what it cost. */

import { showBytes, showCount, showRate, showSeconds } from "equitopo/internal/picture";
import { showNumber } from "../part/numbers.ts";
import { Table, type TableRow } from "../part/table.tsx";
import { TopologyName } from "../part/topology.tsx";
import { type Chosen, labelOf } from "../view/topology-field.ts";
import type { Curve } from "../work/curves.ts";
import { type KnownRate, TOLERANCE } from "../work/rates.ts";
import { isTrouble, type Trouble } from "../work/trouble.ts";

export interface CurvesShown {
  readonly topologies: readonly Chosen[];
  readonly curves: readonly Curve[];
  readonly rates: readonly (KnownRate | Trouble | undefined)[];
  readonly rounds: number;
}

const waiting = <span class="caption">…</span>;

/** The first round whose disagreement is down to a millionth; undefined where none is. */
function crossing({ errors }: Exclude<Curve, Trouble>): number | undefined {
  const found = errors.findIndex((error) => error <= TOLERANCE * errors[0]);
  return found < 0 ? undefined : found;
}

function rowOf(place: number, { topologies, curves, rates, rounds }: CurvesShown, isDone: boolean): TableRow {
  const [chosen, curve, rate] = [topologies[place], curves[place], rates[place]];
  const name = <TopologyName chosen={chosen} />;
  if (curve !== undefined && isTrouble(curve)) {
    const trouble = <span class="trouble">{curve.trouble}</span>;
    return { cells: [name, trouble], attributes: { "data-topology": chosen.name } };
  }
  const at = curve && crossing(curve);
  const known = rate === undefined || isTrouble(rate) ? undefined : rate;
  const ofRate = (show: (known: KnownRate) => string) =>
    known === undefined ? (rate === undefined ? waiting : "–") : show(known);
  return {
    cells: [
      name,
      curve === undefined ? waiting : showCount(curve.messages),
      ofRate(({ rate }) => showRate(rate)),
      ofRate(({ bound }) => (bound === null ? "none" : showRate(bound))),
      ofRate(({ rounds }) => (Number.isFinite(rounds) ? showCount(rounds) : "never")),
      at === undefined ? (isDone ? `over ${showCount(rounds)}` : waiting) : showCount(at),
      at === undefined || curve === undefined
        ? "–"
        : `${showBytes(curve.bytes[at])}, ${showSeconds(curve.seconds[at])}`,
    ],
    attributes: {
      ...{ "data-topology": chosen.name, "data-rate": known?.rate, "data-bound": known?.bound ?? undefined },
      ...{ "data-rounds": at, "data-errors": isDone ? curve?.errors.at(-1) : undefined },
    },
  };
}

export function CurvesTable({ shown, isDone }: { shown: CurvesShown; isDone: boolean }) {
  return (
    <Table
      id="curves-table"
      label="The curves in numbers"
      columns={[
        ...["Topology", "Degree"],
        <>
          Rate<var>β</var>
        </>,
        "Bound",
        <>
          10<sup>−6</sup> promised
        </>,
        ...["measured", "for"],
      ]}
      rows={shown.topologies.map((_, place) => rowOf(place, shown, isDone))}
    />
  );
}

/** The numbers in one sentence, for the picture's label. */
export function curvesInWords({ topologies, curves }: CurvesShown): string {
  return topologies
    .map((chosen, place) => {
      const name = labelOf(chosen);
      const curve = curves[place];
      if (curve === undefined || isTrouble(curve)) return `${name}: nothing to show`;
      const at = crossing(curve);
      if (at !== undefined) return `${name}: down to a millionth after ${at} rounds`;
      const { errors } = curve;
      const share = showNumber(errors[errors.length - 1] / (errors[0] || 1));
      return `${name}: ${share} of the disagreement left after ${errors.length - 1} rounds`;
    })
    .join("; ");
}
