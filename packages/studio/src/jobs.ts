/** What a worker can be asked: one line a job, as in protocol.ts. */

import { rates } from "./curves/rates.ts";
import { curves } from "./curves/work.ts";
import type { Jobs, Work } from "./protocol.ts";
import { frame, scene } from "./rounds/work.ts";
import { meetings } from "./runs/meetings.ts";

export const jobs: { readonly [K in keyof Jobs]: Work<K> } = {
  scene,
  frame,
  curves,
  rates,
  meetings,
};
