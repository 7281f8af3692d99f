/** One run: what is wrong with its folder, its curves, its tables, and what computed it. */

import type { Figure } from "../page.ts";
import { Choice, Control } from "../part/control.tsx";
import { Facts } from "../part/facts.tsx";
import { change, view } from "../store.ts";
import { Chart, chartFigure, svgAddress } from "./chart.tsx";
import type { Outcome, RunFigure } from "./outcome.ts";
import type { ReadRun } from "./read.ts";
import { NumbersTable } from "./table.tsx";

export function Folder({ run }: { readonly run: ReadRun }) {
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
        {run.figures.map(({ name, svg }) => (
          <figure key={name} class="chart">
            <img src={svgAddress(svg)} alt={`Stored figure ${name}`} />
            <figcaption class="caption">{name}.svg</figcaption>
          </figure>
        ))}
      </details>
      <details>
        <summary>Tables as they were stored ({run.tables.length})</summary>
        {run.tables.map((table) => (
          <NumbersTable key={table.name} {...table} />
        ))}
      </details>
      <details>
        <summary>The spec and what computed it</summary>
        <Facts
          facts={Object.entries(versions).map(([name, value]) => [
            name,
            typeof value === "string" ? value : JSON.stringify(value),
          ])}
        />
        <textarea readOnly rows={12} aria-label="spec.json">
          {JSON.stringify(spec, null, 2).slice(0, mostLetters)}
        </textarea>
      </details>
    </>
  );
}

/** Of a spec; a long one is for the file. */
const mostLetters = 20_000;

const panelOf = ({ panels }: RunFigure, against: string) => panels[against] ?? Object.values(panels)[0];

function Shown({ outcome: { experiment, figures, tables } }: { readonly outcome: Outcome }) {
  const { metric, against } = view.value;
  const figure = figures.find((one) => one.metric === metric) ?? figures[0];
  const panel = figure && panelOf(figure, against);
  const title = figure && `${figure.metric} ${panel.title}`;
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
            {Object.keys(figure.panels).length === 1 ? null : <Control name="against" />}
          </div>
          <Chart id={`curves-${experiment}`} title={title} plot={panel} said={`Curves of ${title}. At the end`} />
        </>
      )}
      {tables.map((table) => (
        <NumbersTable key={table.name} {...table} />
      ))}
    </section>
  );
}

/** The curves of all metrics, against what is chosen. */
export function folderFigures({ name, outcomes }: ReadRun, against: string): Figure[] {
  return outcomes.flatMap(({ figures }) =>
    figures.map((figure) => {
      const panel = panelOf(figure, against);
      const title = `${figure.metric} ${panel.title}`;
      return chartFigure(`${name}-${title.replaceAll(" ", "-")}`, title, panel);
    }),
  );
}
