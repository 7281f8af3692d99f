/** What a worker can be asked: one line a job, as in protocol.ts. */

import { adviceSteps } from "equitopo/advise";
import { rates } from "./curves/rates.ts";
import { curves } from "./curves/work.ts";
import { learningWork } from "./learning/frame.ts";
import type { Jobs, Work } from "./protocol.ts";
import { frame, scene } from "./rounds/work.ts";
import { meetings } from "./runs/meetings.ts";
import { eigen } from "./spectrum/eigen.ts";
import { improve } from "./spectrum/improve.ts";

export const jobs: { readonly [K in keyof Jobs]: Work<K> } = {
  scene,
  frame,
  curves,
  rates,
  learning: learningWork(),
  spectrum: eigen,
  design: improve,
  advice: adviceSteps,
  meetings,
};
