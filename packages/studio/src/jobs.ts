/** What a worker can be asked: one line a job, as in protocol.ts. */

import { rates } from "./curves/rates.ts";
import type { Jobs, Work } from "./protocol.ts";

export const jobs: { readonly [K in keyof Jobs]: Work<K> } = {
  rates,
};
