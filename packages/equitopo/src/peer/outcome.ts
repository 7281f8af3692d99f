/** What an exchange that is over hands to whoever asked for it, and what happens to its memory then. */

import type { Historian } from "./history.ts";
import type { Lane } from "./lane.ts";
import type { Pending } from "./pending.ts";
import type { Outcome, Vector } from "./transport.ts";

export function outcomeOf({ arrived, undecided, request, unsent }: Pending, lane: Lane, history?: Historian): Outcome {
  const kept = new Set(Array.from(unsent, ({ data }) => data));
  for (const { data } of request.send) if (lane.keeps?.(data)) kept.add(data);
  let held = true;
  return {
    arrived,
    ...(undecided === undefined ? {} : { undecided }),
    kept: [...kept],
    release: () => {
      if (!held) return [];
      held = false;
      const all = arrived.map((data, entry) => data ?? undecided?.[entry]);
      const read = all.filter((data) => data !== undefined);
      const torn = lane.leave?.(request.round + 1, read) ?? [];
      for (const data of read) lane.recycle?.(data);
      const changed = [...all.keys()].filter((entry) => torn.includes(all[entry] as Vector));
      const used = changed.filter((entry) => arrived[entry] !== undefined);
      for (const partner of new Set(used.map((entry) => request.receive[entry].peer))) {
        history?.({ kind: "amended", exchange: request.round, partner, to: "torn", received: [] });
      }
      return changed;
    },
  };
}
