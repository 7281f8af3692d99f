/** One network or run that is under way: how far each peer is, what goes wrong, the round, and the curves so far. */

import type { LiveSource } from "@equitopo/web";
import { words } from "equitopo/internal/outcome";
import { type Paper, type Pen, type PlotSpec, showBytes } from "equitopo/internal/picture";
import { useCallback } from "preact/hooks";
import type { Figure } from "../page.ts";
import { Canvas } from "../part/canvas.tsx";
import { type Fact, Facts } from "../part/facts.tsx";
import { useAnswer } from "../part/use-answer.ts";
import { Chart, chartFigure } from "./chart.tsx";
import { drawLive } from "./live-picture.ts";
import { furthestBehind, type NetworkProgress, progressOf } from "./progress.ts";
import { sources } from "./stream.ts";
import { NumbersTable } from "./table.tsx";

const room = 32;

export function Live({ source: id }: { readonly source: string }) {
  const source = sources.value.find((one) => one.source === id);
  if (source === undefined) {
    return <p class="empty">This run has reported nothing; it may have ended before the studio was started.</p>;
  }
  const progress = progressOf(source);
  return (
    <>
      <h2 id="live-title">{source.title}</h2>
      <p class="caption" id="live-state">
        By {source.how}; {source.over ? "over" : "under way"}
      </p>
      {progress === undefined ? <Shares source={source} /> : <Network source={source} progress={progress} />}
      {plotsOf(source).map(({ metric, plot }) => (
        <Chart key={metric} id={`live-${metric}`} title={words(metric)} plot={plot} said={`${words(metric)} so far`} />
      ))}
    </>
  );
}

function Network({ source, progress }: { readonly source: LiveSource; readonly progress: NetworkProgress }) {
  const { label, topology, rounds } = source.runs[progress.run];
  const peers = furthestBehind(source, room);
  const facts: Fact[] = [
    ["run", source.runs.length === 1 ? label : `${progress.run + 1} of ${source.runs.length}: ${label}`],
    ["peers heard of", `${progress.heard} of ${topology.n}`],
    ["running, ended, gone", `${progress.running}, ${progress.ended}, ${progress.gone}`],
    ["updates done", `${progress.least} to ${progress.most} of ${rounds}`],
    ["largest lag", String(progress.largestLag)],
    ["messages missed", String(progress.missed)],
    ["exchanges void", String(progress.voided)],
    ["came late", String(progress.late)],
    ["reconnects", String(progress.reconnects)],
    ["refused", String(progress.refused)],
    ["bytes sent in all", showBytes(progress.bytes)],
  ];
  return (
    <>
      <div class="pair">
        <Round source={source} progress={progress} />
        <Facts id="live-facts" facts={facts} />
      </div>
      <NumbersTable
        name={
          peers.length < progress.heard ? `Peers: the ${peers.length} furthest behind of ${progress.heard}` : "Peers"
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

/** The round of the peers furthest behind: others may be waiting for these. */
function Round({ source, progress }: { readonly source: LiveSource; readonly progress: NetworkProgress }) {
  const { topology } = source.runs[progress.run];
  const { least, most, heard } = progress;
  const { answer: meetings, trouble } = useAnswer("meetings", { topology, t: least - 1 });
  const draw = useCallback(
    (pen: Pen, paper: Paper) => {
      if (meetings !== undefined) drawLive(pen, paper, { meetings, peers: source.peers, most });
    },
    // The peers' states are changed in place; only the list of sources is a new one each time.
    [meetings, sources.value],
  );
  if (trouble !== undefined) return <p class="trouble">The round cannot be drawn: {trouble}</p>;
  const { all = "…", dropped = [] } = meetings?.edges ?? {};
  const shown = dropped.length < Number(all) ? `${dropped.length} of ${all}` : all;
  const what = meetings?.symmetric ? "exchanges" : "messages";
  const said = `Round ${meetings?.t ?? ""} of ${topology.name}: ${shown} ${what}`;
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
        <li class="row" key={run}>
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

/** The curves that the run has reported so far, one plot for each metric. */
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
