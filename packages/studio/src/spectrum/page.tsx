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
  titleOf,
} from "equitopo/picture";
import { exportSpectrum } from "../export/spectrum.ts";
import type { Page } from "../page.ts";
import { Canvas } from "../part/canvas.tsx";
import { Range, Segments } from "../part/control.tsx";
import { TopologyChoice } from "../part/topology.tsx";
import { useAnswer } from "../part/use-answer.ts";
import { change, view } from "../store.ts";
import type { Chosen } from "../topology-field.ts";
import { MOST_NODES } from "../view.ts";
import { fitted } from "./basis.ts";
import { BasisEditor } from "./basis-editor.tsx";
import { Designer } from "./designer.tsx";
import type { SpectrumAnswer } from "./eigen.ts";

/** What was answered last, for the export. */
let shown: { readonly disc: Disc; readonly title: string } | undefined;

/** Families whose basis is written out in their spec, index by index. */
const editable = (name: string) => name === "d-equistatic" || name === "u-equistatic";

function Panel() {
  const { graph, n, seed, matrix, matrixRound } = view.value;
  const round = matrix === "round" ? matrixRound : undefined;
  const { answer, trouble, asking } = useAnswer("spectrum", {
    ...{ graph, n, seed },
    ...(round === undefined ? {} : { round }),
  });
  return (
    <div class="bench">
      <section class="controls" aria-label="Which matrix">
        <TopologyChoice
          label="Topology"
          value={graph}
          onChange={(chosen) => chosen !== undefined && change({ graph: chosen })}
        />
        <Range
          label="Nodes"
          symbol="n"
          note="so many eigenvalues, one of them the 1 of consensus"
          value={n}
          min={2}
          max={MOST_NODES}
          log
          whole
          onChange={(value) => change({ n: value, graph: refitted(graph, value) })}
        />
        {answer === undefined || answer.kind === "static" ? null : (
          <>
            <Segments
              label="Eigenvalues of"
              note={
                answer.kind === "periodic"
                  ? "the product over a period, or one round alone"
                  : "the mean of the rounds, or one round alone"
              }
              value={matrix}
              options={[
                { value: "telling", label: answer.kind === "periodic" ? "a period" : "E W" },
                { value: "round", label: "one W(t)" },
              ]}
              onChange={(value) => change({ matrix: value })}
            />
            {matrix === "round" ? (
              <Range
                label="Round"
                symbol="t"
                note="which W(t)"
                value={matrixRound}
                min={0}
                max={100}
                whole
                onChange={(value) => change({ matrixRound: value })}
              />
            ) : null}
          </>
        )}
        {answer !== undefined && editable(graph.name) && Array.isArray(answer.spec["basis"]) ? (
          <BasisEditor
            n={n}
            basis={answer.spec["basis"] as readonly number[]}
            onChange={(basis) => change({ graph: { name: graph.name, basis } })}
          />
        ) : null}
      </section>
      <section class="stage" aria-label="Eigenvalues" aria-busy={asking}>
        {trouble === undefined ? null : <p class="trouble">{trouble}</p>}
        {answer === undefined ? null : <Plane answer={answer} graph={graph} round={round} />}
      </section>
      <aside class="side" aria-label="What it comes to">
        {answer === undefined ? null : <Facts answer={answer} />}
        {answer === undefined ? null : <Designer answer={answer} n={n} />}
      </aside>
    </div>
  );
}

/** A basis follows n; what else was chosen fits any n or says so. */
function refitted(graph: Chosen, n: number): Chosen {
  const { basis } = graph;
  return Array.isArray(basis) ? { ...graph, basis: fitted(basis, n) } : graph;
}

function Plane({ answer, graph, round }: { answer: SpectrumAnswer; graph: Chosen; round: number | undefined }) {
  const { spectrum, unshown, rate, floor } = answer;
  if (spectrum === undefined) {
    shown = undefined;
    return <p class="trouble">{unshown}</p>;
  }
  const disc = discOf(graph.name, spectrum, rate, floor?.value);
  const largest = largestModulus(spectrum);
  const title = `Eigenvalues of ${matrixName(spectrum, round)}, ${titleOf(graph.name)}, n = ${answer.spec.n}`;
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
function shrinking(kind: SpectrumAnswer["kind"]): string {
  if (kind === "static") return "A round leaves at most β of any disagreement";
  if (kind === "random") return "A round leaves at most β of any disagreement, in mean square over what is drawn";
  return "The worst round of a period leaves β of some disagreement; what counts is what a whole period leaves";
}

function Facts({ answer }: { answer: SpectrumAnswer }) {
  const { rate, floor, degree, rounds, kind, spectrum, promise } = answer;
  return (
    <section class="panel">
      <h2>The rate</h2>
      <dl class="facts">
        <dt>
          rate <var>β</var>
        </dt>
        <dd data-fact="rate">{showRate(rate.rate)}</dd>
        <dt>bound of the paper</dt>
        <dd data-fact="bound">{rate.bound === null ? "none" : showRate(rate.bound)}</dd>
        {floor === undefined ? null : (
          <>
            <dt>floor ({floor.name})</dt>
            <dd data-fact="floor">{showRate(floor.value)}</dd>
          </>
        )}
        {spectrum === undefined ? null : (
          <>
            <dt>largest modulus</dt>
            <dd data-fact="modulus">{showRate(largestModulus(spectrum))}</dd>
          </>
        )}
        {rate.periodRate === undefined ? null : (
          <>
            <dt>over a period, a round</dt>
            <dd>{showRate(rate.periodRate)}</dd>
          </>
        )}
        <dt>peers in a round</dt>
        <dd>{showCount(degree)}</dd>
        <dt>rounds to 1e-6</dt>
        <dd data-fact="rounds">{showCount(rounds)}</dd>
      </dl>
      <p class="note">
        {shrinking(kind)} ({rate.method}).{" "}
        {promise === undefined
          ? null
          : `For uniform indices Theorem 1 asks M = ${showCount(promise)} to promise this rate with probability 1/2; here ${showCount(degree)} peers reach it.`}
      </p>
    </section>
  );
}

export const spectrumPage: Page = {
  id: "spectrum",
  title: "Spectrum",
  summary:
    "What a round does to every direction of disagreement: eigenvalues on the complex plane, and the circle that none may leave.",
  Panel,
  pictures(): readonly Picture[] {
    if (shown === undefined) return [];
    const { disc, title } = shown;
    return [{ name: "spectrum", title, size: [640, 640], draw: (pen, paper) => drawDisc(pen, paper, disc) }];
  },
  exported: exportSpectrum,
};
