/** Numbers and states in words that somebody reads who has only clicked a link. */

import type { LinkKind } from "@equitopo/web";
import { countLinks, type Shown } from "./shown.ts";

export function bytesInWords(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB"];
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** step;
  return `${step === 0 ? value : value.toPrecision(3)} ${units[step]}`;
}

const list = (names: readonly (string | number)[]) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;

export const seatsInWords = (ranks: readonly number[]): string =>
  ranks.length === 0 ? "nobody" : `seat${ranks.length > 1 ? "s" : ""} ${list([...ranks].sort((a, b) => a - b))}`;

const kinds: Readonly<Record<LinkKind, string>> = {
  rtc: "directly (WebRTC)",
  websocket: "directly to a program (WebSocket)",
  relay: "through the server's relay",
  port: "inside this computer",
};

/** "10 directly (WebRTC) and 1 through the server's relay". */
export function linksInWords(open: ReadonlyMap<number, LinkKind>): string {
  const counts = countLinks(open);
  const parts = (Object.keys(kinds) as LinkKind[]).flatMap((kind) =>
    counts[kind] === 0 ? [] : [`${counts[kind]} ${kinds[kind]}`],
  );
  return parts.length === 0 ? "none yet" : list(parts);
}

/** What is going on, in one sentence: also what a screen reader is told when it changes. */
export function stateInWords(shown: Shown): string {
  const { phase, rank, size, here, wanted, open, standing, runs } = shown;
  switch (phase) {
    case "joining":
      return "Asking for a seat.";
    case "files":
      return `You have seat ${rank} of ${size}. Choose the data that this seat learns from.`;
    case "connecting":
      return here.length < size
        ? `${here.length} of ${size} are here, ${open.size} of ${wanted} connections stand.`
        : `Everybody is here. ${open.size} of ${wanted} connections stand.`;
    case "training": {
      const run = runs[standing?.run ?? 0];
      return `Training: round ${standing?.updates ?? 0} of ${run?.rounds ?? "?"}.`;
    }
    case "ended":
      return "Training is done.";
    case "left":
      return "You have left. The others go on without you.";
    case "failed":
      return rank < 0 ? "You have no seat." : "This seat has stopped.";
  }
}

/** The sentence about the server, once it matters. */
export function serverInWords({ server, phase }: Shown): string | undefined {
  if (server || phase === "ended" || phase === "left" || phase === "failed") return undefined;
  if (phase === "training") {
    return "The server is gone. Training goes on without it; pairs that met through its relay miss each other.";
  }
  return "The server is gone. Seats that stand connected train without it; nobody new can come.";
}
