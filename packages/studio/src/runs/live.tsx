/** One network or run that is under way: where everybody stands, what goes wrong, the round, and the curves so far. */

import { words } from "@equitopo/experiments";
import type { LiveSource } from "@equitopo/web";
import { useSignal } from "@preact/signals";
import { type Paper, type Pen, type PlotSpec, showBytes } from "equitopo/picture";
import { useCallback, useEffect, useMemo } from "preact/hooks";
import type { Desk } from "../desk.ts";
import { Canvas } from "../part/canvas.tsx";
import type { Figure } from "../part/figure.ts";
import { newDesk } from "../workers.ts";
import { Chart, chartFigure } from "./chart.tsx";
import { drawLive } from "./live-picture.ts";
import type { Meetings } from "./meetings.ts";
import { furthestBehind, type Standing, standingOf } from "./standing.ts";
import { sources } from "./stream.ts";
import { Table } from "./table.tsx";

/** Lines of the table of peers. */
const room = 32;

export function Live({ source: id }: { readonly source: string }) {
  const source = sources.value.find((one) => one.source === id);
  if (source === undefined) {
    return <p class="empty">Nothing is heard of this run; it may have ended before the studio was started.</p>;
  }
  const standing = standingOf(source);
  return (
    <>
      <h2 id="live-title">{source.title}</h2>
      <p class="caption" id="live-state">
        By {source.how}; {source.over ? "over" : "under way"}
      </p>
      {standing === undefined ? <Shares source={source} /> : <Network source={source} standing={standing} />}
      <Progress source={source} />
    </>
  );
}

function Network({ source, standing }: { readonly source: LiveSource; readonly standing: Standing }) {
  const { label, topology, rounds } = source.runs[standing.run];
  const peers = furthestBehind(source, room);
  const facts: [string, string][] = [
    ["run", source.runs.length === 1 ? label : `${standing.run + 1} of ${source.runs.length}: ${label}`],
    ["peers heard of", `${standing.heard} of ${topology.n}`],
    ["running, ended, gone", `${standing.running}, ${standing.ended}, ${standing.gone}`],
    ["updates done", `${standing.least} to ${standing.most} of ${rounds}`],
    ["largest lag", String(standing.largestLag)],
    ["messages missed", String(standing.missed)],
    ["exchanges void", String(standing.voided)],
    ["came late", String(standing.late)],
    ["reconnects", String(standing.reconnects)],
    ["refused", String(standing.refused)],
    ["bytes sent in all", showBytes(standing.bytes)],
  ];
  return (
    <>
      <div class="pair">
        <Round source={source} standing={standing} />
        <dl class="facts" id="live-facts">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <Table
        title={
          peers.length < standing.heard ? `Peers: the ${peers.length} furthest behind of ${standing.heard}` : "Peers"
        }
        columns={["peer", "state", "updates", "lag", "with", "bytes", "missed", "void", "late", "reconnects"]}
        rows={peers.map(({ rank, state, round, lag, partners, bytes, faults }) => [
          ...[String(rank), state, round + 1, Math.max(0, lag), partners.slice(0, 8).join(" ") || "nobody", bytes],
          ...[faults?.missed ?? null, faults?.voided ?? null, faults?.late ?? null, faults?.reconnects ?? null],
        ])}
      />
    </>
  );
}

/** The round of those furthest behind: the one that others may be waiting for. */
function Round({ source, standing }: { readonly source: LiveSource; readonly standing: Standing }) {
  const { topology } = source.runs[standing.run];
  const { least, most, heard } = standing;
  const found = useSignal<Meetings | undefined>(undefined);
  const failed = useSignal<string | undefined>(undefined);
  const desk = useMemo<Desk>(newDesk, []);
  useEffect(() => () => desk.close(), []);
  useEffect(() => {
    desk.ask("meetings", { topology, t: least - 1 }).then(
      (answer) => {
        if (answer !== undefined) found.value = answer;
      },
      (error: Error) => {
        failed.value = error.message;
      },
    );
  }, [JSON.stringify(topology), least]);
  const meetings = found.value;
  const draw = useCallback(
    (pen: Pen, paper: Paper) => {
      if (meetings !== undefined) drawLive(pen, paper, { meetings, peers: source.peers, most });
    },
    // What the peers do is changed in place; the list of sources is another one each time.
    [meetings, sources.value],
  );
  if (failed.value !== undefined) return <p class="trouble">The round cannot be drawn: {failed.value}</p>;
  const edges = meetings?.edges;
  const shown = (edges?.lost.length ?? 0) < (edges?.all ?? 0) ? `${edges?.lost.length} of ${edges?.all}` : edges?.all;
  const said = `Round ${meetings?.t ?? ""} of ${topology.name}: ${shown ?? "…"} ${
    meetings?.scene.symmetric ? "exchanges" : "messages"
  }`;
  return (
    <figure>
      <Canvas id="live-round" draw={draw} ratio="1 / 1" label={`${heard} peers. ${said}.`} />
      <figcaption class="caption" id="live-words">
        {said}. Blue: running, paler the further behind; green: ended; orange: gone.
      </figcaption>
    </figure>
  );
}

function Shares({ source: { runs, shares, stateHashes } }: { readonly source: LiveSource }) {
  return (
    <ul class="shares" id="live-shares">
      {runs.map(({ label, seed }, run) => (
        <li key={run}>
          <label for={`share-${run}`}>
            {label}, seed {seed}
          </label>
          <progress id={`share-${run}`} max={1} value={shares[run] ?? 0} />
          <span class="note">{stateHashes[run]?.slice(0, 12) ?? `${Math.floor(100 * (shares[run] ?? 0))}%`}</span>
        </li>
      ))}
    </ul>
  );
}

/** The curves that were told so far, one plot for each metric. */
function plotsOf({ runs, curves }: LiveSource): { readonly metric: string; readonly plot: PlotSpec }[] {
  const names = [...new Set(Object.values(curves).flatMap((one) => Object.keys(one)))];
  return names.map((metric) => ({
    metric,
    plot: {
      xLabel: "updates done",
      yLabel: words(metric),
      yLog: !/accuracy/i.test(metric),
      series: Object.entries(curves).flatMap(([run, one]) => {
        const { label, seed, topology } = runs[Number(run)];
        const alone = runs.filter((other) => other.label === label).length === 1;
        if (one[metric] === undefined) return [];
        const { updates: x, values: mean } = one[metric];
        return [{ label: alone ? label : `${label}, seed ${seed}`, x, mean, topology: topology.name }];
      }),
    },
  }));
}

export function liveFigures(source: LiveSource): Figure[] {
  return plotsOf(source).map(({ metric, plot }) => chartFigure(metric, `${source.title}: ${words(metric)}`, plot));
}

function Progress({ source }: { readonly source: LiveSource }) {
  return (
    <>
      {plotsOf(source).map(({ metric, plot }) => {
        const ends = plot.series.map(({ label, mean }) => `${label} ${mean.at(-1)?.toPrecision(4)}`).join("; ");
        return (
          <Chart
            key={metric}
            id={`live-${metric}`}
            title={words(metric)}
            plot={plot}
            label={`${words(metric)} so far: ${ends}.`}
          />
        );
      })}
    </>
  );
}
