/** The history lines (history.ts) of an exchange that is over, one for each partner. */

import { hashOf } from "../../number/quick-hash.ts";
import type { ExchangeLine, Historian } from "../history/history.ts";
import type { Partner, Pending } from "./pending.ts";
import type { Vector } from "./transport.ts";

/** One line for each peer that was sent to or awaited. Data must not have been given back yet. */
export function tell(history: Historian | undefined, { request, partners, arrived }: Pending, aborted = false): void {
  if (history === undefined) return;
  const sent = new Map<number, string[]>();
  for (const { peer, data } of request.send) sent.set(peer, [...(sent.get(peer) ?? []), hashOf(data)]);
  const everybody = new Set([...partners.keys(), ...sent.keys()]);
  for (const peer of everybody) {
    const partner = partners.get(peer);
    const { mutual, missing, voted, heard, entries } = partner ?? nobody;
    const came = entries.map((entry) => arrived[entry]);
    const ending = aborted ? "aborted" : endingOf(partner, !came.includes(undefined));
    history({
      ...{ kind: "exchange", exchange: request.round, partner: peer, mutual, sent: sent.get(peer) ?? [] },
      received: ending === "applied" ? came.map((data) => hashOf(data as Vector)) : [],
      ...{ missing, voted, heard, ending, ...(request.mixes ? { mixes: true } : {}) },
    });
  }
}

/** Of a peer from which nothing was awaited. */
const nobody = { mutual: false, missing: 0, voted: null, heard: null, entries: [] };

function endingOf(partner: Partner | undefined, whole: boolean): ExchangeLine["ending"] {
  if (partner === undefined) return "sent";
  if (whole) return "applied";
  return partner.mutual ? "void" : "missed";
}
