/** Edge lists as text: `from,to,weight`, self weights as from = to; of a range of rounds with a first column `round`. */

import { selfWeight } from "equitopo/round";
import { type Drawing, edgesInto } from "./drawing.ts";

export function* writeCsv({ rounds, isRange }: Drawing): Generator<string> {
  yield isRange ? "round,from,to,weight\n" : "from,to,weight\n";
  for (const { round, number } of rounds) {
    const first = isRange ? `${number},` : "";
    for (let to = 0; to < round.n; to++) {
      const self = selfWeight(round, to);
      if (self !== 0) yield `${first}${to},${to},${self}\n`;
      for (const { from, weight } of edgesInto(round, to)) yield `${first}${from},${to},${weight}\n`;
    }
  }
}
