/**
 * Claim: whatever happens to elastic peers over TCP for minutes on end, they agree. Processes of this machine run DSGT, at
 * 20 iterations a second; every few seconds one is killed, hangs, comes, leaves, comes back with its votes, without, or with its clock an
 * hour back, or the network is cut in two. There are never two membership epochs of one number, all histories are accepted,
 * and the memory of the peer that lives through all of it stays flat. The same on a modelled clock: soak.long.test.ts.
 *
 * npm run bench -- soak [--minutes 10] [--seed 1] [--peers 6]
 */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RandomStream } from "equitopo";
import { checkHistories, decodeHistory } from "equitopo/peer";
import type * as runs from "../packages/node/test/tcp/elastic-run.mjs";
import type { Options, Report } from "./bench.ts";

const program = new URL("../../packages/node/test/tcp/elastic-run.mjs", import.meta.url).href;
const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
const hour = 3_600_000;
/** Megabytes that may come and go. */
const allowed = 4;

export default async function soak(options: Options, report: Report): Promise<void> {
  const { ElasticRun } = (await import(program)) as typeof runs;
  const n = Number(options["peers"] ?? 6);
  const [minutes, seed, seats] = [Number(options["minutes"] ?? 10), Number(options["seed"] ?? 1), n + 2];
  const draws = new RandomStream(seed, 7);
  const folder = mkdtempSync(join(tmpdir(), "equitopo-soak-"));
  const network = await ElasticRun.open({ n, seats, timeout: 3000, silence: 4000, folder, pace: 50, wires: true });
  const epochs = new Map<number, string>();
  const wrong: string[] = [];
  network.onEpoch = ({ epoch: { number, members, first } }) => {
    const text = JSON.stringify({ members, first });
    if ((epochs.get(number) ?? text) !== text) wrong.push(`two epochs ${number}: ${epochs.get(number)} and ${text}`);
    epochs.set(number, text);
  };
  const here = new Set<number>();
  const happened = new Map<string, number>();
  const start = (seat: number, remember: boolean, back = 0): void => {
    here.add(seat);
    if (!remember)
      for (const name of [`votes-${seat}`, `votes-${seat}.previous`]) rmSync(join(folder, name), { force: true });
    network.start(seat, back);
  };
  /** Faults that are not over: only one of these at a time, so that most of the members can agree. */
  let under = 0;
  const later = (act: () => void): void => {
    under++;
    setTimeout(() => {
      act();
      under--;
    }, 1000 + draws.below(5000));
  };
  const happen = (): void => {
    // Seat 0 lives through everything.
    const seat = 1 + draws.below(seats - 1);
    const what = ["kill", "restart", "clock", "leave", "hang", "cut", "come"][draws.below(7)];
    if (what === "come" ? here.has(seat) : under > 0 || here.size <= n - 2 || !here.has(seat)) return;
    happened.set(what, (happened.get(what) ?? 0) + 1);
    if (what === "come") start(seat, false);
    else if (what === "leave") {
      here.delete(seat);
      network.leave(seat);
    } else if (what === "hang") {
      network.stop(seat);
      later(() => network.stop(seat, "SIGCONT"));
    } else if (what === "cut") {
      const side = 1 + draws.below(2 ** seats - 2);
      network.wires?.cut((from, to) => ((side >> from) & 1) === ((side >> to) & 1));
      later(() => network.wires?.cut(() => true));
    } else {
      here.delete(seat);
      network.kill(seat);
      if (what !== "kill") later(() => here.has(seat) || start(seat, what === "restart", what === "clock" ? hour : 0));
    }
  };
  const memory: number[] = [];
  const begun = performance.now();
  const elapsed = () => (performance.now() - begun) / 60_000;
  try {
    for (let seat = 0; seat < n; seat++) start(seat, true);
    await network.until([...here], 120_000);
    while (elapsed() < minutes) {
      await pause(3000 + draws.below(4000));
      happen();
      memory.push((await network.report(0)).memory / 2 ** 20);
    }
    await pause(8000);
    // Who was removed while it was cut off has ended; it may come again.
    for (const seat of here) if (!network.runs(seat)) start(seat, false);
    await network.until(
      [...here].sort((a, b) => a - b),
      90_000,
    );
    const { updates } = await network.report(0);
    await pause(5000);
    const more = (await network.report(0)).updates - updates;
    if (more < 10) wrong.push(`${more} iterations in 5 s of quiet`);
  } catch (error) {
    wrong.push((error as Error).message);
  } finally {
    network.end();
  }
  const histories = Array.from({ length: seats }, (_, seat) => {
    try {
      return decodeHistory(readFileSync(join(folder, `history-${seat}.ndjson`), "utf8"));
    } catch {
      return [];
    }
  });
  const { violations, counts } = checkHistories(histories);
  for (const violation of violations.slice(0, 10)) wrong.push(JSON.stringify(violation));
  const mean = (part: readonly number[]) => part.reduce((sum, one) => sum + one, 0) / part.length;
  const fifth = Math.ceil(memory.length / 5);
  const [early, late] = [mean(memory.slice(fifth, 2 * fifth)), mean(memory.slice(-fifth))];
  if (late - early > allowed) wrong.push(`memory went from ${early.toFixed(1)} to ${late.toFixed(1)} MB`);
  console.log(
    `${elapsed().toFixed(1)} minutes: ${Array.from(happened, ([what, count]) => `${what} ${count}`).join(", ")}`,
  );
  console.log(
    `${Math.max(...epochs.keys())} membership epochs; ${counts.applied} exchanges applied, ${counts.void} void`,
  );
  console.log(`memory of seat 0 ${early.toFixed(1)} -> ${late.toFixed(1)} MB; violations ${violations.length}`);
  report.figure({
    name: `membership epochs in ${minutes} minutes`,
    value: Math.max(...epochs.keys()),
    unit: "",
    more: true,
  });
  report.figure({ name: "memory of a peer through all of it", value: late - early, unit: "MB" });
  for (const text of wrong) console.log(`wrong: ${text}`);
  if (wrong.length > 0) {
    console.log(`histories in ${folder}`);
    process.exitCode = 1;
  } else rmSync(folder, { recursive: true });
}
