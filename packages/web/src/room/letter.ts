/**
 * What members of a room say to each other, by way of the server or of a member that both are linked with: texts of the
 * pair (pair.ts) inside an envelope that names both seats and their epochs. Whoever carries an envelope cannot be trusted
 * with more than losing it: who is at the other end of a link is found out on the link itself (link/introduce.ts).
 */

import type { PairText, Way } from "./pair.ts";
import type { Occupant } from "./protocol.ts";

type Stand = Pick<Occupant, "rank" | "epoch">;

export interface Envelope {
  readonly to: Stand;
  readonly from: Stand;
  readonly text: string;
}

const ways: readonly unknown[] = ["websocket", "rtc", "relay"] satisfies Way[];
const whole = (value: unknown, least: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= 0xffff_ffff;

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** What a pair's text says; undefined where it is none. */
export function readPairText(text: string): PairText | undefined {
  const all = parsed(text);
  const [say, attempt, way, words] = [all?.["say"], all?.["attempt"], all?.["way"], all?.["text"]];
  if (!whole(attempt, 0)) return undefined;
  switch (say) {
    case "try":
      return ways.includes(way) ? { say, attempt, way: way as Way } : undefined;
    case "rtc":
      return typeof words === "string" ? { say, attempt, text: words } : undefined;
    case "ready":
    case "failed":
    case "again":
      return { say, attempt };
  }
  return undefined;
}

function stand(value: unknown): Stand | undefined {
  const { rank, epoch } = Object(value) as Partial<Record<keyof Stand, unknown>>;
  return whole(rank, 0) && whole(epoch, 1) ? { rank, epoch } : undefined;
}

/** An envelope that came over a link; undefined where it is none. */
export function readEnvelope(text: string): Envelope | undefined {
  const all = parsed(text);
  const [to, from, words] = [stand(all?.["to"]), stand(all?.["from"]), all?.["text"]];
  return to === undefined || from === undefined || typeof words !== "string" ? undefined : { to, from, text: words };
}
