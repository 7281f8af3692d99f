/**
 * Claim: among peers over TCP whose members come and go, a change of membership costs the others a moment. Processes of this
 * machine run DSGT; one joins, one leaves, one is killed, then a third of all at once. Of each: the seconds until all
 * members have begun the next epoch, the longest time that any of them stood between two iterations (beside the longest
 * before), and vectors that were missed.
 *
 * npm run bench -- elastic; EQUITOPO_BENCH_N=8,16 chooses how many begin.
 */

import { availableParallelism } from "node:os";
import type * as runs from "../packages/node/test/tcp/elastic-run.mjs";
import type { Options, Report } from "./bench.ts";

type ElasticReport = runs.ElasticReport;

const program = new URL("../../packages/node/test/tcp/elastic-run.mjs", import.meta.url).href;
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function measure(n: number, report: Report): Promise<void> {
  const { ElasticRun } = (await import(program)) as typeof runs;
  const elastic = await ElasticRun.open({ n, seats: n + 1, d: 1000, timeout: 10_000, silence: 10_000 });
  const reports = (seats: readonly number[]): Promise<ElasticReport[]> =>
    Promise.all(seats.map((seat) => elastic.report(seat)));
  try {
    let members = Array.from({ length: n }, (_, seat) => seat);
    for (const seat of members) elastic.start(seat);
    await elastic.until(members, 120_000);
    const change = async (what: string, next: readonly number[], act: () => void): Promise<void> => {
      const stay = next.filter((seat) => members.includes(seat));
      await pause(2000);
      await reports(stay);
      await pause(2000);
      const usual = await reports(stay);
      act();
      const { seconds } = await elastic.until(next, 60_000);
      await pause(1000);
      const after = await reports(stay);
      // Vectors that are not finite are refused: a run that diverges would count as one that misses.
      if (after.some(({ x }) => !x.every(Number.isFinite)))
        throw new Error(`the models are no numbers after "${what}"`);
      const most = (all: readonly ElasticReport[], of: (one: ElasticReport) => number) => Math.max(...all.map(of));
      const missed = stay.map((_, k) => after[k].missing - usual[k].missing).reduce((sum, one) => sum + one, 0);
      const columns = [
        seconds.toFixed(2),
        ...[usual, after].map((all) => most(all, (one) => one.pause).toFixed(0)),
        missed,
      ];
      console.log(
        `${String(n).padStart(4)}  ${what.padEnd(22)}${columns.map((text) => String(text).padStart(14)).join("")}`,
      );
      report.figure({ name: `n = ${n}, ${what}: until all have begun the next epoch`, value: seconds, unit: "s" });
      members = [...next];
    };
    await change("one joins", [...members, n], () => elastic.start(n));
    await change(
      "one leaves",
      members.filter((seat) => seat !== 1),
      () => elastic.leave(1),
    );
    await change(
      "one is killed",
      members.filter((seat) => seat !== 2),
      () => elastic.kill(2),
    );
    const third = members.slice(-Math.ceil(members.length / 3));
    await change(`${third.length} of ${members.length} are killed`, members.slice(0, -third.length), () => {
      for (const seat of third) elastic.kill(seat);
    });
  } finally {
    elastic.end();
  }
}

export default async function main(_: Options, report: Report): Promise<void> {
  const sizes = process.env["EQUITOPO_BENCH_N"]?.split(",").map(Number) ?? [8, 16];
  console.log(`elastic peers over TCP on ${availableParallelism()} cores, OU-EquiDyn, DSGT with 1000 numbers`);
  console.log("                                      next       longest pause of a member,");
  console.log("   n  change                     epoch, s    before, ms     after, ms        missed");
  for (const n of sizes) await measure(n, report);
}
