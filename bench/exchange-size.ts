/**
 * Claim: the round of one peer costs the same however many others there are. One peer of 100 and one of 100,000 each make
 * rounds of OD-EquiDyn with one number, over a lane on which every letter is there as soon as it is waited for: schedule,
 * exchange, averaging and the question how far the others are. The best of many short blocks, in turn. Part of exchange.ts.
 */

import { odEquiDyn, type Rows } from "equitopo";
import { type Ears, Exchange, type Lane, Mixing } from "equitopo/internal/peer";
import type { Report } from "./bench.ts";

/** A lane that answers for all other peers: what is waited for has come. */
function answering(): Lane {
  let ears: Ears | undefined;
  let expected: number[] = [];
  let round = 0;
  return {
    ...{ name: "answering", ordered: true },
    open(given) {
      ears = given;
    },
    send: () => undefined,
    now: () => performance.now(),
    after: () => () => {},
    expects(peer) {
      expected.push(peer);
    },
    leave(next) {
      round = next;
      expected = [];
      return [];
    },
    wait() {
      const data = new Float32Array(1);
      for (const peer of expected) ears?.deliver(peer, { kind: "vector", round, sequence: 0, data });
    },
    close: async () => {},
  };
}

/** Rounds of one peer of that many. */
function peerAmong(n: number) {
  const transport = new Exchange(answering(), { rank: 0, size: n });
  const mixing = new Mixing({ transport, topology: odEquiDyn({ n, seed: 1 }) });
  let row: Rows = new Float32Array(1);
  let t = 0;
  return async (rounds: number): Promise<number> => {
    const start = performance.now();
    for (let k = 0; k < rounds; k++, t++) {
      [row] = await mixing.finish(mixing.start({ vectors: [row] }, { round: t, exchange: t }));
      if (transport.reached > t) throw new Error("nobody is ahead of this peer");
    }
    return (performance.now() - start) / rounds;
  };
}

export async function roundsBySize(report: Report): Promise<void> {
  const sizes = [100, 100_000];
  const peers = sizes.map(peerAmong);
  const least = sizes.map(() => Number.POSITIVE_INFINITY);
  for (let block = 0; block < 60; block++) {
    for (const [k, rounds] of peers.entries()) {
      const ms = await rounds(1000);
      if (block >= 10) least[k] = Math.min(least[k], ms);
    }
  }
  const [few, many] = least;
  report.figure({
    ...{ name: "a round of one peer of 100,000", value: many, unit: "ms" },
    beside: { what: "of one peer of 100", value: few },
  });
  const [a, b] = least.map((ms) => `${(1000 * ms).toFixed(2)} us`);
  console.log(`one peer alone: ${a} a round among 100 peers, ${b} among 100,000, ratio ${(many / few).toFixed(3)}`);
}
