/** The curves in numbers: what theory says, what was measured, and what it cost. */

import { showBytes, showCount, showRate, showSeconds } from "equitopo/picture";
import { showNumber } from "../part/numbers.ts";
import { TopologyName } from "../part/topology.tsx";
import { view } from "../store.ts";
import type { Chosen } from "../topology-field.ts";
import { isTrouble, type Trouble } from "../trouble.ts";
import type { KnownRate } from "./promise.ts";
import { crossing } from "./state.ts";
import type { Curve } from "./work.ts";

interface RowProps {
  readonly chosen: Chosen;
  readonly curve: Curve | undefined;
  readonly rate: KnownRate | Trouble | undefined;
  readonly isDone: boolean;
}

const waiting = <span class="caption">…</span>;

function Row({ chosen, curve, rate, isDone }: RowProps) {
  const { rounds } = view.value;
  if (curve !== undefined && isTrouble(curve)) {
    return (
      <tr data-topology={chosen.name}>
        <td>
          <TopologyName chosen={chosen} />
        </td>
        <td colSpan={6} class="trouble left">
          {curve.trouble}
        </td>
      </tr>
    );
  }
  const at = curve === undefined ? undefined : crossing(curve);
  const known = rate === undefined || isTrouble(rate) ? undefined : rate;
  const unknown = rate === undefined ? waiting : "–";
  const last = curve?.errors.length ?? 0;
  return (
    <tr
      data-topology={chosen.name}
      data-rate={known?.rate}
      data-bound={known?.bound ?? undefined}
      data-rounds={at}
      data-errors={isDone && curve !== undefined ? curve.errors[last - 1] : undefined}
    >
      <td>
        <TopologyName chosen={chosen} />
      </td>
      <td>{curve === undefined ? waiting : showCount(curve.messages)}</td>
      <td>{known === undefined ? unknown : showRate(known.rate)}</td>
      <td>{known === undefined ? unknown : known.bound === null ? "none" : showRate(known.bound)}</td>
      <td>{known === undefined ? unknown : Number.isFinite(known.rounds) ? showCount(known.rounds) : "never"}</td>
      <td>{at === undefined ? (isDone ? `over ${showCount(rounds)}` : waiting) : showCount(at)}</td>
      <td>
        {at === undefined || curve === undefined
          ? "–"
          : `${showBytes(curve.bytes[at])}, ${showSeconds(curve.seconds[at])}`}
      </td>
    </tr>
  );
}

export function CurvesTable(props: {
  topologies: readonly Chosen[];
  curves: readonly Curve[];
  rates: readonly (KnownRate | Trouble | undefined)[];
  isDone: boolean;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section class="scroll" tabIndex={0} aria-label="The curves in numbers">
      <table id="curves-table">
        <thead>
          <tr>
            <th scope="col">Topology</th>
            <th scope="col">Peers</th>
            <th scope="col">
              Rate<var>β</var>
            </th>
            <th scope="col">Bound</th>
            <th scope="col">
              10<sup>−6</sup> promised
            </th>
            <th scope="col">measured</th>
            <th scope="col">for</th>
          </tr>
        </thead>
        <tbody>
          {props.topologies.map((chosen, place) => (
            <Row
              key={place}
              chosen={chosen}
              curve={props.curves[place]}
              rate={props.rates[place]}
              isDone={props.isDone}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The numbers in one sentence, for the picture's label. */
export function curvesInWords(topologies: readonly Chosen[], curves: readonly Curve[]): string {
  return topologies
    .map((chosen, place) => {
      const curve = curves[place];
      if (curve === undefined || isTrouble(curve)) return `${chosen.name}: nothing to show`;
      const at = crossing(curve);
      const { errors } = curve;
      const share = showNumber(errors[errors.length - 1] / (errors[0] || 1));
      return at === undefined
        ? `${chosen.name}: ${share} of the disagreement left after ${errors.length - 1} rounds`
        : `${chosen.name}: down to a millionth after ${at} rounds`;
    })
    .join("; ");
}
