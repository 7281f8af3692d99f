/** Every bench by name. A new one is a file and a line here. */

import type { Bench } from "./bench.ts";

export interface Entry {
  /** How often it is run where its figures are kept: what takes long, once. */
  readonly times: number;
  load(): Promise<{ default: Bench }>;
}

export const benches: Readonly<Record<string, Entry>> = {
  rate: { times: 3, load: () => import("./rate.ts") },
  peers: { times: 3, load: () => import("./peers.ts") },
  design: { times: 1, load: () => import("./design.ts") },
  gradient: { times: 3, load: () => import("./gradient.ts") },
  learning: { times: 3, load: () => import("./learning.ts") },
  gossip: { times: 3, load: () => import("./gossip.ts") },
  train: { times: 1, load: () => import("./train.ts") },
  language: { times: 1, load: () => import("./language.ts") },
  mnist: { times: 1, load: () => import("./mnist.ts") },
  exchange: { times: 1, load: () => import("./exchange.ts") },
  robust: { times: 3, load: () => import("./robust.ts") },
  straggler: { times: 1, load: () => import("./straggler.ts") },
  hierarchy: { times: 1, load: () => import("./hierarchy.ts") },
  "tls-start": { times: 1, load: () => import("./tls-start.ts") },
  "tls-round": { times: 1, load: () => import("./tls-round.ts") },
  gpu: { times: 1, load: () => import("./gpu.ts") },
  browser: { times: 1, load: () => import("./browser.ts") },
  async: { times: 1, load: () => import("./async.ts") },
  attack: { times: 1, load: () => import("./attack.ts") },
  chaos: { times: 1, load: () => import("./chaos.ts") },
  elastic: { times: 1, load: () => import("./elastic.ts") },
  soak: { times: 1, load: () => import("./soak.ts") },
  crowd: { times: 1, load: () => import("./crowd.ts") },
  long: { times: 1, load: () => import("./long.ts") },
  votes: { times: 1, load: () => import("./votes.ts") },
  strict: { times: 3, load: () => import("./strict.ts") },
  python: { times: 1, load: () => import("./python.ts") },
  "python-mnist": { times: 1, load: () => import("./python-mnist.ts") },
};
