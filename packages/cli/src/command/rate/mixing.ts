/** What `equitopo rate` says of a topology beyond one round: many rounds, the long run, and what learning feels. */

import type { Rate, Topology } from "equitopo";
import { defined } from "equitopo/internal/input";
import { asymptoticRate, gains, normOver, prediction } from "equitopo/rate";
import { showCount, showRate } from "../../terminal/numbers.ts";
import { type Cell, numberCell } from "../../terminal/table.ts";

/** Disagreement is predicted to shrink by this. */
const TOLERANCE = 1e-6;
/** Gains and eigenvalues that take longer than a blink are for those who ask: dense ones, and those of many modes. */
const CHEAP_NODES = 64;
const CHEAP_MODES = 10_000;

export type Mixing = ReturnType<typeof mixingOf>;

export function mixingOf(topology: Topology, exact: Rate, asked: { rounds?: number; gains?: true }) {
  const known = { ...topology, rate: () => exact };
  const cheap = topology.n <= CHEAP_NODES || asked.gains === true;
  const modal = topology.kind !== "random" && topology.round(0).kind === "circulant" && topology.n <= CHEAP_MODES;
  const drawn = topology.draws !== undefined && topology.n <= CHEAP_MODES;
  const free = topology.moments !== undefined || drawn || modal;
  const asymptotic = exact.asymptotic ?? (cheap ? asymptoticRate(known) : undefined);
  const telling = asymptotic !== undefined && asymptotic !== exact.rate && asymptotic !== exact.periodRate;
  const over = asked.rounds === undefined ? undefined : normOver(known, asked.rounds);
  return {
    predicted: { ...prediction(known, TOLERANCE), tolerance: TOLERANCE },
    // Where it is neither the rate nor that of a period.
    ...(telling ? { asymptotic } : {}),
    ...((cheap || free) && topology.stochastic !== "columns" ? { gains: gains(known) } : {}),
    ...(over === undefined
      ? {}
      : { rounds: asked.rounds, norm: over.norm, normMethod: over.method, ...defined({ normError: over.error }) }),
  };
}

/** JSON has no infinity: what is promised by nothing, and gains of graphs that never agree, are null. */
export function mixingJson({ predicted, gains: found, ...rest }: Mixing): object {
  const finite = (value: number) => (Number.isFinite(value) ? value : null);
  const { rms, worst, noise, ...more } = found ?? { rms: 0, worst: 0, noise: 0 };
  const all = { rms: finite(rms), worst: finite(worst), noise: finite(noise), ...more };
  return {
    ...rest,
    ...(found === undefined ? {} : { gains: all }),
    predicted: { ...predicted, rounds: finite(predicted.rounds) },
  };
}

/** Lines of a name, a value and what it means. */
export function mixingLines(mixing: Mixing): [string, Cell, string][] {
  const { predicted, asymptotic, gains: found, rounds, norm, normMethod } = mixing;
  const lines: [string, Cell, string][] = [];
  if (asymptotic !== undefined) {
    const meaning = "spectral radius: a round's factor in the long run, no bound before";
    lines.push(["asymptotic", numberCell(asymptotic, showRate), meaning]);
  }
  if (rounds !== undefined && norm !== undefined) {
    const sense = normMethod === "mean square" ? "root of the mean square over" : "norm of the product of";
    const shownNorm = numberCell(norm, (value) => (value < 1e-3 ? value.toExponential(4) : showRate(value)));
    lines.push(["norm", shownNorm, `${sense} ${showCount(rounds)} rounds`]);
  }
  if (found !== undefined) {
    const { rms, worst, noise, method, error } = found;
    const about = error === undefined ? method : `${method}, rms +- ${error.rms.toPrecision(1)}`;
    const others = `worst ${shown(worst)}, noise ${shown(noise)}`;
    lines.push(["gain", numberCell(rms, shown), `what DSGD's step is multiplied by, rms; ${others}; ${about}`]);
  }
  const promise = `to shrink disagreement by ${TOLERANCE.toExponential()}, predicted from the ${predicted.method}`;
  const kept = predicted.rounds < Number.POSITIVE_INFINITY;
  lines.push(["rounds", numberCell(predicted.rounds, showCount), kept ? promise : "no number of rounds is promised"]);
  return lines;
}

function shown(gain: number): string {
  return gain < 1e6 ? gain.toFixed(3) : "-";
}
