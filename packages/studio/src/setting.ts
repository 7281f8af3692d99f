/** What is simulated, taken out of the view: the same setting gives the same rounds and numbers, wherever and whenever. */

import type { View } from "./view.ts";

/** Everything but the topology: what several of them are run with. */
export type Setting = Pick<View, "n" | "seed" | "d" | "start" | "drop" | "push" | "kill" | "cut" | "alpha" | "beta">;

export function settingOf({ n, seed, d, start, drop, push, kill, cut, alpha, beta }: View): Setting {
  return { n, seed, d, start, drop, push, kill, cut, alpha, beta };
}
