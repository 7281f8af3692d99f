/** What a worker can be asked by the views that are fetched (views.ts). */

import type { AdviseOptions } from "equitopo";
import { adviceSteps } from "equitopo/advise";
import { eigen } from "./eigen.ts";
import { improve } from "./improve.ts";
import { meetings } from "./meetings.ts";

/** Its news: the candidate that is asked now, how many were before it and of how many, and the advice so far. */
export function* advice(question: AdviseOptions) {
  const steps = adviceSteps(question);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    const { soFar, ...news } = step.value;
    yield { ...news, advice: soFar() };
  }
}

export const rareJobs = { spectrum: eigen, design: improve, advice, meetings };
