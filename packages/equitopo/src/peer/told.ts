/** What an exchange that is over has to tell a history (history.ts), partner by partner. */

import { quickHash } from "../number/quick-hash.ts";
import { bytesOf } from "./frame.ts";
import type { ExchangeLine, Historian } from "./history.ts";
import type { Partner, Pending } from "./pending.ts";
import type { Vector } from "./transport.ts";

export const hashOf = (data: Vector): string => quickHash(bytesOf(data));

/** One line for each peer that was sent to or awaited. Data must not have been given back yet. */
export function tell(history: Historian | undefined, pending: Pending, aborted = false): void {
  if (history !== undefined) for (const line of linesOf(pending, aborted)) history(line);
}

function linesOf({ request, partners, arrived }: Pending, aborted: boolean): ExchangeLine[] {
  const sent = new Map<number, string[]>();
  for (const { peer, data } of request.send) sent.set(peer, [...(sent.get(peer) ?? []), hashOf(data)]);
  const everybody = new Set([...partners.keys(), ...sent.keys()]);
  return Array.from(everybody, (peer): ExchangeLine => {
    const partner = partners.get(peer);
    const came = partner?.entries.map((entry) => arrived[entry]) ?? [];
    const whole = came.every((data) => data !== undefined);
    const ending = aborted ? "aborted" : endingOf(partner, whole);
    return {
      kind: "exchange",
      exchange: request.round,
      partner: peer,
      mutual: partner?.mutual ?? false,
      sent: sent.get(peer) ?? [],
      received: ending === "applied" ? came.map((data) => hashOf(data as Vector)) : [],
      missing: partner?.missing ?? 0,
      voted: partner?.voted ?? null,
      heard: partner?.yes ? "yes" : partner?.no ? "no" : null,
      ending,
    };
  });
}

function endingOf(partner: Partner | undefined, whole: boolean): ExchangeLine["ending"] {
  if (partner === undefined) return "sent";
  if (whole) return "applied";
  return partner.mutual ? "void" : "missed";
}
