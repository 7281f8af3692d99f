/** What a thread of a crew loads to share a classification problem's work. */

import type { Work } from "equitopo";
import { type Plan, Replica } from "./work.ts";

export default function work(plan: Plan): Work {
  return new Replica(plan).work;
}
