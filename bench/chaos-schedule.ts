/**
 * npm run bench -- chaos --minutes M [--seed S] [--first K] [--peers N]: fault schedule after fault schedule, for M minutes,
 * on processes over TCP; after each the histories of all peers are held against each other. A schedule that fails is played
 * again with fewer and shorter faults, and the smallest that still fails is printed: the same seed and number give the
 * same faults at the same times, what the machine makes of them may differ.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expandSpec } from "equitopo";
import { checkHistories, type HistoryCounts, type Verdict } from "equitopo/peer";
import { drawSchedule, type Fault, shrinkSchedule } from "equitopo/testing";
import type { Options, Report } from "./bench.ts";
import { type ChaosOutcome, playForReal } from "./chaos-network.ts";

const [timeout, span, longest] = [400, 4000, 2500];
const kinds = ["break", "half-open", "cut", "stop", "kill"] as const;

interface Played extends ChaosOutcome, Verdict {
  readonly folder: string;
}

async function play(peers: number, number: number, faults: readonly Fault[]): Promise<Played> {
  const folder = mkdtempSync(join(tmpdir(), "equitopo-chaos-"));
  const names = ["ou-equidyn", "od-equidyn", "ring"] as const;
  const name = names[number % names.length];
  const [run] = expandSpec({
    topologies: [name === "ring" ? { name, n: peers } : { name, n: peers, seed: number }],
    algorithms: [{ name: "dsgd", learningRate: 0.01 }],
    problem: { name: "least-squares", K: 5 },
    ...{ rounds: 600, seeds: [1] },
  });
  const outcome = await playForReal({ run, timeout, folder, faults, delay: 2, loss: 0.005, limit: 120_000 });
  return { ...outcome, ...checkHistories(outcome.histories), folder };
}

const wrong = ({ violations, hanging, failed }: Played) => violations.length + hanging.length + failed.length > 0;

export async function chaosSchedules(options: Options, report: Report): Promise<void> {
  const end = performance.now() + 60_000 * Number(options["minutes"]);
  const seed = Number(options["seed"] ?? 1);
  const peers = Number(options["peers"] ?? 8);
  const total: Record<string, number> = {};
  let number = Number(options["first"] ?? 0);
  for (; performance.now() < end; number++) {
    const faults = drawSchedule({ seed, number, peers, span, longest, most: 6, kinds });
    const played = await play(peers, number, faults);
    for (const [key, count] of Object.entries(played.counts)) total[key] = (total[key] ?? 0) + count;
    const drawn = faults.map((fault) => fault.kind).join(", ");
    console.log(`schedule ${number} (${drawn}): ${played.seconds.toFixed(1)} s, ${summary(played.counts)}`);
    if (wrong(played)) {
      await tell(played, peers, number, faults, end);
      return;
    }
    rmSync(played.folder, { recursive: true, force: true });
  }
  report.figure({
    name: "exchanges of fault schedules that were accepted",
    value: total["applied"] ?? 0,
    unit: "",
    more: true,
  });
  console.log(`all accepted: ${summary(total as unknown as HistoryCounts)}`);
}

function summary(counts: HistoryCounts): string {
  const mutual = counts.applied + counts.void;
  return (
    `${counts.applied} applied, ${counts.void} void, ${counts.missed} missed, ${counts.mended} mended, ` +
    `one-sided by a dropped vote ${counts.window} (${((100 * counts.window) / Math.max(1, mutual)).toFixed(2)} %), ` +
    `cut off ${counts.cutOff}, killed ${counts.killed}`
  );
}

async function tell(played: Played, peers: number, number: number, faults: readonly Fault[], end: number) {
  process.exitCode = 1;
  const { violations, hanging, failed, folder } = played;
  console.log(`refused; histories in ${folder}; hanging ${hanging.join(", ")}; failed ${failed.join(", ")}`);
  for (const violation of violations.slice(0, 20)) console.log(JSON.stringify(violation));
  // A minute longer than asked for at the most: each trial takes as long as the run.
  const last = Math.max(end, performance.now() + 60_000);
  const smallest = await shrinkSchedule(faults, async (fewer) => {
    if (performance.now() > last) return false;
    const again = await play(peers, number, fewer);
    rmSync(again.folder, { recursive: true, force: true });
    return wrong(again);
  });
  console.log(`the smallest schedule found that fails:\n${JSON.stringify(smallest, null, 1)}`);
}
