/** The view "Spectrum": eigenvalues on the complex plane, a basis edited by hand, and the designer. */

import {
  type Disc,
  discOf,
  drawDisc,
  largestModulus,
  matrixName,
  meaning,
  type Paper,
  type Pen,
  type Picture,
  showCount,
  showRate,
} from "equitopo/internal/picture";
import { exportSpectrum } from "../export/specs.ts";
import type { PageBody } from "../page.ts";
import { Canvas } from "../part/canvas.tsx";
import { Control } from "../part/control.tsx";
import { Facts } from "../part/facts.tsx";
import { TopologyChoice } from "../part/topology.tsx";
import { useAnswer } from "../part/use-answer.ts";
import { change, view } from "../store.ts";
import { type Chosen, nameOf } from "../view/topology-field.ts";
import type { SpectrumAnswer } from "../work/eigen.ts";
import { fitted } from "./basis.ts";
import { BasisEditor } from "./basis-editor.tsx";
import { Designer } from "./designer.tsx";

/** What was answered last, for the export. */
let shown: { readonly disc: Disc; readonly title: string } | undefined;

function Panel() {
  const { graph, n, seed, matrix, matrixRound } = view.value;
  const round = matrix === "round" ? matrixRound : undefined;
  const { answer, trouble, asking } = useAnswer("spectrum", { graph, n, seed, round });
  const kind = answer?.kind;
  const basis = Array.isArray(graph["basis"]) ? graph["basis"] : undefined;
  return (
    <div class="bench">
      <section class="controls" aria-label="Which matrix">
        <TopologyChoice
          label="Topology"
          value={graph}
          onChange={(chosen) => chosen !== undefined && change({ graph: chosen })}
        />
        <Control
          name="n"
          note="so many eigenvalues, one of them the 1 of consensus"
          // A basis follows n; what else was chosen fits any n or says so.
          onChange={(n: number) =>
            change({ n, graph: basis === undefined ? graph : { ...graph, basis: fitted(basis, n) } })
          }
        />
        {kind === undefined || kind === "static" ? null : (
          <Control
            name="matrix"
            note={`the ${kind === "periodic" ? "product over a period" : "mean of the rounds"}, or one round alone`}
            choices={{ telling: kind === "periodic" ? "a period" : "E W", round: "one W(t)" }}
          />
        )}
        {kind !== undefined && kind !== "static" && matrix === "round" ? <Control name="matrixRound" /> : null}
        {kind === "static" && answer?.spec.name === graph.name && Array.isArray(answer.spec["basis"]) ? (
          <BasisEditor
            n={n}
            basis={answer.spec["basis"]}
            onChange={(basis) => change({ graph: { name: graph.name, basis } })}
          />
        ) : null}
      </section>
      <section class="stage" aria-label="Eigenvalues" aria-busy={asking}>
        {trouble === undefined ? null : <p class="trouble">{trouble}</p>}
        {answer === undefined ? null : <Plane answer={answer} graph={graph} round={round} />}
      </section>
      <aside class="side" aria-label="What it comes to">
        {answer === undefined ? null : (
          <>
            <RatePanel answer={answer} />
            <Designer answer={answer} n={n} />
          </>
        )}
      </aside>
    </div>
  );
}

function Plane({ answer, graph, round }: { answer: SpectrumAnswer; graph: Chosen; round: number | undefined }) {
  const { spectrum, unshown, rate, floor } = answer;
  if (spectrum === undefined) {
    shown = undefined;
    return <p class="trouble">{unshown}</p>;
  }
  const disc = discOf(graph.name, spectrum, rate, floor?.value);
  const largest = largestModulus(spectrum);
  const title = `Eigenvalues of ${matrixName(spectrum, round)}, ${nameOf(graph)}, n = ${answer.spec.n}`;
  shown = { disc, title };
  return (
    <figure class="disc">
      <Canvas
        ratio="1 / 1"
        id="disc"
        draw={(pen: Pen, paper: Paper) => drawDisc(pen, paper, disc)}
        label={`${title}: the largest modulus beside 1 is ${showRate(largest)}, the rate ${showRate(rate.rate)}`}
      />
      <figcaption>
        <b>{title}</b>
        <p class="rate">
          <var>β</var> = {showRate(rate.rate)}
        </p>
        <p class="caption" id="meaning">
          {meaning({ ...answer, ...spectrum, largest }, round)}
        </p>
        <p class="note">
          Full circle: {disc.mostName !== "β" ? "what a period leaves of any disagreement at most" : "the rate β"}.
          Dashed: the paper's bound on it, where it has one. Dotted: no circulant of this degree has a rate below it.
          Ring at 1: consensus itself.
        </p>
      </figcaption>
    </figure>
  );
}

/** What β says of disagreement. */
const shrinking: Readonly<Record<SpectrumAnswer["kind"], string>> = {
  static: "A round leaves at most β of any disagreement",
  random: "A round leaves at most β of any disagreement, in mean square over what is drawn",
  periodic: "The worst round of a period leaves β of some disagreement; what counts is what a whole period leaves",
};

function RatePanel({ answer }: { answer: SpectrumAnswer }) {
  const { rate, floor, degree, rounds, kind, spectrum, promise } = answer;
  return (
    <section class="panel">
      <h2>The rate</h2>
      <Facts
        facts={[
          [
            <>
              rate <var>β</var>
            </>,
            showRate(rate.rate),
            { "data-fact": "rate" },
          ],
          ["bound of the paper", rate.bound === null ? "none" : showRate(rate.bound), { "data-fact": "bound" }],
          floor && [`floor (${floor.name})`, showRate(floor.value), { "data-fact": "floor" }],
          spectrum && ["largest modulus", showRate(largestModulus(spectrum)), { "data-fact": "modulus" }],
          rate.periodRate !== undefined && ["over a period, a round", showRate(rate.periodRate)],
          ["degree", showCount(degree)],
          ["rounds to 1e-6", showCount(rounds), { "data-fact": "rounds" }],
        ]}
      />
      <p class="note">
        {shrinking[kind]} ({rate.method}).{" "}
        {promise === undefined
          ? null
          : `For uniform indices Theorem 1 asks M = ${showCount(promise)} to promise this rate with probability 1/2; here degree ${showCount(degree)} reaches it.`}
      </p>
    </section>
  );
}

export const spectrumPage: PageBody = {
  Panel,
  pictures(): readonly Picture[] {
    if (shown === undefined) return [];
    const { disc, title } = shown;
    return [{ name: "spectrum", title, size: [640, 640], draw: (pen, paper) => drawDisc(pen, paper, disc) }];
  },
  sheets() {
    if (shown === undefined) return [];
    const { re, im } = shown.disc;
    return [{ name: "spectrum", columns: ["real", "imaginary"], rows: Array.from(re, (value, k) => [value, im[k]]) }];
  },
  exported: exportSpectrum,
};
