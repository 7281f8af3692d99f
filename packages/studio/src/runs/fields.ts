/** What the view of runs remembers beside what it shares. A folder that was opened by hand is in no address. */

import { perhaps, word } from "../field.ts";

const plain = { read: (text: string) => (/^[\w.:+ -]{1,200}$/.test(text) ? text : undefined), write: String };

export const runsFields = {
  /** The run of those that are served; the first where there is none. */
  run: perhaps(plain),
  /** What is under way and looked at, by its source. */
  live: perhaps(plain),
  /** The metric whose curves are drawn; the problem's own where there is none. */
  metric: perhaps(plain),
  /** What they are drawn against. */
  against: word("updates", "bytes", "seconds"),
};
