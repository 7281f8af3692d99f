/**
 * Claim: no request ends a server, and nobody makes one keep what it likes. The studio, a room and the Node peers in it are
 * started by the command, as programs of their own on this machine, and attacked over 127.0.0.1: with odd requests, messages
 * and frames, half of them with a valid token or key; with a file of 3 GB and a folder that is moved away; with names of
 * metrics without end, watchers that read nothing, and false reports. Afterwards each must still do its work, and hold
 * little more than before. Options: --requests R (100,000 in all), --only studio,names,room,listener,reports, --seed S.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attackListener, attackReports, attackRoom } from "./attack/room.ts";
import { attackNames, attackStudio } from "./attack/studio.ts";
import type { Options, Report } from "./bench.ts";

export interface Attacked {
  readonly sent: number;
  /** Megabytes more than before. */
  readonly held: number;
  readonly well: boolean;
  /** What it said last. */
  readonly why: string;
}

/** Megabytes that a server may hold beyond what it held before: what its bounds add up to, and what a collector leaves. */
const allowed = 250;

export const attacks: Readonly<Record<string, (requests: number, seed: number, folder: string) => Promise<Attacked>>> =
  {
    studio: (requests, seed, folder) => attackStudio(Math.ceil(requests / 3), seed, folder),
    names: (requests, _, folder) => attackNames(5 * requests, folder),
    room: (requests, seed, folder) => attackRoom(Math.ceil(requests / 3), seed, folder),
    listener: (requests, seed, folder) => attackListener(Math.ceil(requests / 3), seed, folder),
    reports: (requests, _, folder) => attackReports(2 * requests, folder),
  };

export default async function attack(options: Options, report: Report): Promise<void> {
  const requests = Number(options["requests"] ?? 100_000);
  const seed = Number(options["seed"] ?? 1);
  for (const name of options["only"]?.split(",") ?? Object.keys(attacks)) {
    const folder = mkdtempSync(join(tmpdir(), "equitopo-attack-"));
    const begun = performance.now();
    try {
      const { sent, held, well, why } = await attacks[name](requests, seed, folder);
      const seconds = (performance.now() - begun) / 1000;
      const good = well && held < allowed;
      console.log(
        `${name.padEnd(9)} ${sent} in ${seconds.toFixed(0)} s; ${good ? "goes on" : "FAILED"}, holds ${held.toFixed(0)} MB more`,
      );
      if (!good) console.log(why);
      if (!good) process.exitCode = 1;
      report.figure({ name: `what ${name} holds after ${requests} odd requests in all`, value: held, unit: "MB" });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
