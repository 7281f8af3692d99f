/** Numbers and states in words, for readers who have only clicked a link. */

import type { LinkKind } from "@equitopo/web";
import { countLinks, over, type Shown } from "./page-state.ts";

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

/** What is going on, in one sentence, which a screen reader reads out when it changes. */
export function stateInWords(shown: Shown): string {
  const { phase, rank, size, here, wanted, open, standing, runs } = shown;
  switch (phase) {
    case "invited":
      return "Nothing has begun: you take a seat when you join.";
    case "joining":
      return "Asking for a seat.";
    case "files":
      return `You have seat ${rank} of ${size}. Choose the data that this seat learns from.`;
    case "connecting":
      return here.length < size
        ? `${here.length} of ${size} are here, ${open.size} of ${wanted} connections are open.`
        : `Everybody is here. ${open.size} of ${wanted} connections are open.`;
    case "training": {
      const run = runs[standing?.run ?? 0];
      return `Training: round ${standing?.updates ?? 0} of ${run?.rounds ?? "?"}.`;
    }
    case "ended":
      return "Training is done.";
    case "left":
      return standing === undefined
        ? "You have left before anything began. Your seat is free again: the link takes it."
        : "You have left. The others go on without you.";
    case "failed":
      return rank < 0 ? "You have no seat." : "This seat has stopped.";
  }
}

/** The sentence about the server, once it matters. */
export function serverInWords({ server, phase }: Shown): string | undefined {
  if (server || over.includes(phase)) return undefined;
  if (phase === "training") {
    return "The server is gone. Training goes on without it; pairs that met through its relay miss each other.";
  }
  return "The server is gone. Seats that are connected train without it; nobody new can join.";
}
