/**
 * What a person should know of peers while they run: words on stderr (`faultWords`), and with `--log FILE` one JSON object
 * a line (NDJSON), each written at once, so that the file is whole up to the moment of a crash. Lines are appended: a peer that
 * is started again goes on in its file. A file that is full is kept as FILE.1, in place of the one before, so that no run fills
 * a disk. docs/formats.md has the schema.
 *
 *   { "version": 1, "time": "2026-01-31T12:00:00.000Z", "level": "info", "peer": 3, "what": "missed", "run": 0,
 *     "iteration": 17, "count": 1, "partners": [5] }
 */

import { appendFileSync, renameSync, statSync } from "node:fs";
import { InputError } from "equitopo";
import type { FaultEvent, PeerEvent, PeerFaultKind } from "equitopo/peer";
import { choice } from "../terminal/flags.ts";

const version = 1;
/** Bytes of a full file: some hours, even if as many faults are reported as may be. */
const most = 2 ** 25;

/** From the gravest on. */
export const logLevels = ["error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof logLevels)[number];

export const logLevelFlag = choice("<LEVEL>", "of what peers report the least grave (default: info)", logLevels);

/** How grave a fault is; faults that are not here are information. */
const levels: Partial<Record<PeerFaultKind, LogLevel>> = {
  ...{ trouble: "error", gone: "warn", back: "warn", rejoined: "warn", refused: "warn" },
  ...{ late: "debug", unsent: "debug" },
};

const levelOf = (event: PeerEvent): LogLevel => (event.kind === "fault" ? (levels[event.what] ?? "info") : "info");

/** Whether an event is at least as grave as the level. */
const isLogged = (event: PeerEvent, least: LogLevel): boolean =>
  logLevels.indexOf(levelOf(event)) <= logLevels.indexOf(least);

/** Of a fault that concerns a person at the terminal a line; nothing of others. Refusals are said by the transport itself. */
export function faultWords(event: PeerEvent, least: LogLevel = "info"): string | undefined {
  if (event.kind !== "fault" || !isLogged(event, least)) return undefined;
  const { rank, iteration, partners: [peer] = [] }: FaultEvent = event;
  const whom = peer === rank ? "" : `peer ${peer} `;
  if (event.what === "trouble") return `peer ${rank}: ${event.reason}`;
  if (event.what === "gone") return `peer ${rank}: peer ${peer} is gone, in round ${iteration}`;
  if (event.what === "back") return `peer ${rank}: peer ${peer} is back at round ${iteration}`;
  if (event.what === "rejoined") return `peer ${rank}: ${whom}rejoined at round ${iteration}`;
  return undefined;
}

export interface FaultLog {
  /** Writes what an event says of faults, and how a peer ended; nothing else. */
  note(event: PeerEvent): void;
}

/** `say` hears once where the file cannot be written any more; the peers go on without it. */
export function openFaultLog(
  path: string,
  say: (text: string) => void,
  least: LogLevel = "info",
  now = () => new Date(),
): FaultLog {
  try {
    appendFileSync(path, "");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(`--log must be a file that can be written (${code})`, path, "check its folder");
  }
  let failed = false;
  const write = (line: object) => {
    try {
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) >= most) renameSync(path, `${path}.1`);
      appendFileSync(path, `${JSON.stringify({ version, time: now().toISOString(), ...line })}\n`);
      failed = false;
    } catch (error) {
      if (!failed)
        say(`${path}: not written (${(error as NodeJS.ErrnoException).code}); tried again with the next line`);
      failed = true;
    }
  };
  return {
    note(event) {
      if (!isLogged(event, least)) return;
      const level = levelOf(event);
      if (event.kind === "fault") {
        const { kind: _, rank: peer, what, ...fault } = event;
        write({ level, peer, what, ...fault });
      } else if (event.kind === "end") {
        const { rank: peer, summary } = event;
        write({ level, peer, what: "end", ...summary });
      }
    },
  };
}
