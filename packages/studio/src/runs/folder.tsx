/** One run: what is wrong with its folder, its curves, its tables, and what computed it. */

import { useEffect, useMemo } from "preact/hooks";
import { Choice, Segments } from "../part/control.tsx";
import type { Figure } from "../part/figure.ts";
import { change, view } from "../store.ts";
import { Chart, chartFigure } from "./chart.tsx";
import type { Outcome, ShownFigure } from "./outcome.ts";
import type { ShownRun } from "./read.ts";
import type { StoredFigure } from "./stored.ts";
import { Table } from "./table.tsx";

export function Folder({ run }: { readonly run: ShownRun }) {
  const { spec, versions, complete, results } = run.content;
  return (
    <>
      <h2 id="run-name">{run.name}</h2>
      <p class="caption" id="run-state">
        {complete ? "Complete" : "Not complete"}: {results.size} of {spec.units.length} units of work,{" "}
        {spec.experiments.join(", ")}
      </p>
      {run.troubles.length === 0 ? null : (
        <ul class="trouble" id="run-troubles">
          {run.troubles.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {run.outcomes.map((outcome) => (
        <Shown key={outcome.experiment} outcome={outcome} />
      ))}
      <details>
        <summary>Figures as they were stored ({run.figures.length})</summary>
        {run.figures.map((figure) => (
          <Stored key={figure.name} {...figure} />
        ))}
      </details>
      <details>
        <summary>Tables as they were stored ({run.tables.length})</summary>
        {run.tables.map((table) => (
          <Table key={table.title} {...table} />
        ))}
      </details>
      <details>
        <summary>The spec and what computed it</summary>
        <dl class="facts">
          {Object.entries(versions).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{typeof value === "string" ? value : JSON.stringify(value)}</dd>
            </div>
          ))}
        </dl>
        <textarea readOnly rows={12} aria-label="spec.json">
          {JSON.stringify(spec, null, 2).slice(0, mostLetters)}
        </textarea>
      </details>
    </>
  );
}

/** Of a spec; a long one is for the file. */
const mostLetters = 20_000;

function Shown({ outcome: { experiment, figures, tables } }: { readonly outcome: Outcome }) {
  const { metric, against } = view.value;
  const figure = figures.find((one) => one.metric === metric) ?? figures[0];
  return (
    <section class="panel">
      {figure === undefined ? null : (
        <>
          <div class="pair">
            <Choice
              label="Metric"
              value={figure.metric}
              options={figures.map((one) => ({ value: one.metric, label: one.metric }))}
              onChange={(value) => change({ metric: value })}
              note="what was recorded after updates, or found by evaluations"
            />
            {Object.keys(figure.panels).length === 1 ? null : (
              <Segments
                label="Against"
                value={against}
                options={(["updates", "bytes", "seconds"] as const).map((value) => ({ value, label: value }))}
                onChange={(value) => change({ against: value })}
                note="updates done, bytes sent per node, or seconds of communication"
              />
            )}
          </div>
          <Curves experiment={experiment} figure={figure} against={against} />
        </>
      )}
      {tables.map((table) => (
        <Table key={table.title} {...table} />
      ))}
    </section>
  );
}

interface CurvesProps {
  readonly experiment: string;
  readonly figure: ShownFigure;
  readonly against: string;
}

const panelOf = ({ panels }: ShownFigure, against: string) => panels[against] ?? Object.values(panels)[0];

/** The curves of all metrics, against what is chosen. */
export function folderFigures({ name, outcomes }: ShownRun, against: string): Figure[] {
  return outcomes.flatMap(({ figures }) =>
    figures.map((figure) => {
      const panel = panelOf(figure, against);
      const title = `${figure.metric} ${panel.title}`;
      return chartFigure(`${name}-${title.replaceAll(" ", "-")}`, title, panel);
    }),
  );
}

function Curves({ experiment, figure, against }: CurvesProps) {
  const { metric } = figure;
  const panel = panelOf(figure, against);
  const ends = panel.series.map(({ label, mean }) => `${label} ${mean.at(-1)?.toPrecision(4)}`).join("; ");
  return (
    <Chart
      id={`curves-${experiment}`}
      title={`${metric} ${panel.title}`}
      plot={panel}
      label={`Curves of ${metric} ${panel.title}. At the end: ${ends}.`}
    />
  );
}

function Stored({ name, svg }: StoredFigure) {
  const url = useMemo(() => URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" })), [svg]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return (
    <figure class="chart">
      <img src={url} alt={`Stored figure ${name}`} />
      <figcaption class="caption">{name}.svg</figcaption>
    </figure>
  );
}
