/**
 * Claim: over connections that are slow and never break, no mutual exchange stays one-sided. 17 peers average over OU-EquiDyn
 * with a timeout of 300 ms; a letter takes 20 ms, and each time it is lost (5%) it is sent again, 200 ms later, then 400, ...,
 * with all that follows it on the same way behind it, as over TCP. Shown are exchanges that one side applied and the
 * other did not, when late votes are made good and when they are not, and how far the sum of all rows was moved. On the
 * memory network's own clock, so the figures are the same everywhere.
 */

import { createTopology, type Rows, type Running } from "equitopo";
import { type Letter, MemoryNetwork, type Request, runPeer, Shifted, type Transport } from "equitopo/internal/peer";
import { block } from "equitopo/random";
import type { Options, Report } from "./bench.ts";

const n = 17;
const rounds = 400;
const [delay, loss, again, timeout] = [20, 0.05, 200, 300];

/** A stream of bytes for each way, over packets that get lost. */
class Streams extends MemoryNetwork {
  readonly #seed: number;
  readonly #last = new Map<string, number>();
  #sent = 0;

  constructor(seed: number) {
    super(n);
    this.#seed = seed;
  }

  override carry(from: number, to: number, letter: Letter): void {
    const words = new Uint32Array(4);
    block(this.#seed, 0, this.#sent++, 0, words);
    let time = this.time + delay;
    for (let k = 0; k < 4 && words[k] < loss * 2 ** 32; k++) time += again * 2 ** k;
    const way = `${from} ${to}`;
    time = Math.max(time, this.#last.get(way) ?? 0);
    this.#last.set(way, time);
    this.after(time - this.time, () => super.carry(from, to, letter));
  }
}

/** Who has applied which exchange with whom: 2 where both have. */
class Ledger {
  readonly sides = new Map<string, number>();
  planned = 0;

  applied(round: number, a: number, b: number): void {
    const pair = `${round} ${Math.min(a, b)} ${Math.max(a, b)}`;
    this.sides.set(pair, (this.sides.get(pair) ?? 0) + 1);
  }

  count(sides: number): number {
    return [...this.sides.values()].filter((value) => value === sides).length;
  }
}

/** Writes down what is applied; without `mend` nobody hears of late votes. */
class Watched extends Shifted {
  readonly #ledger: Ledger;
  readonly #mend: boolean;

  constructor(transport: Transport, ledger: Ledger, mend: boolean) {
    super(transport, 0);
    this.#ledger = ledger;
    this.#mend = mend;
  }

  override async exchange({ late, ...request }: Request): ReturnType<Transport["exchange"]> {
    const { round, receive } = request;
    this.#ledger.planned += receive.length / 2;
    const applied = (peer: number) => {
      this.#ledger.applied(round, this.rank, peer);
      late?.(peer);
    };
    const outcome = await super.exchange({ ...request, ...(this.#mend ? { late: applied } : {}) });
    receive.forEach(({ peer }, k) => {
      if (outcome.arrived[k] !== undefined) this.#ledger.applied(round, this.rank, peer);
    });
    return outcome;
  }
}

async function average(seed: number, mend: boolean) {
  const network = new Streams(seed);
  const topology = createTopology({ name: "ou-equidyn", n, seed });
  const ledger = new Ledger();
  let mended = 0;
  const values = await Promise.all(
    Array.from({ length: n }, async (_, rank) => {
      const joined = network.join(rank);
      const state = { x: Float64Array.of(rank) as Rows };
      const running: Running = {
        state,
        *iterate() {
          [state.x] = yield { vectors: [state.x] };
        },
      };
      await runPeer({ transport: new Watched(joined, ledger, mend), topology, running, rounds, timeout });
      await network.sleep(10 * timeout);
      mended += joined.counts.mended;
      return state.x[0];
    }),
  );
  const mean = values.reduce((sum, value) => sum + value / n, 0);
  return { ledger, mended, shift: Math.abs(mean - (n - 1) / 2) };
}

export default async function votes(_: Options, report: Report): Promise<void> {
  console.log(`${n} peers, ${rounds} rounds of OU-EquiDyn, ${100 * loss}% of packets lost, ${timeout} ms timeout:`);
  console.log("seed  late votes   planned   applied  one-sided    share   mended  shift of the mean");
  for (const seed of [1, 2, 3]) {
    for (const mend of [false, true]) {
      const { ledger, mended, shift } = await average(seed, mend);
      const one = ledger.count(1);
      const name = `one-sided exchanges, seed ${seed}, late votes ${mend ? "made good" : "dropped"}`;
      report.figure({ name, value: one, unit: `of ${ledger.planned.toFixed(0)}` });
      const cells = [
        String(seed).padEnd(5),
        (mend ? "made good" : "dropped").padEnd(11),
        ledger.planned.toFixed(0).padStart(8),
        String(ledger.count(2)).padStart(9),
        String(one).padStart(10),
        `${((100 * one) / ledger.planned).toFixed(2)}%`.padStart(8),
        String(mended).padStart(8),
        shift.toExponential(1).padStart(18),
      ];
      console.log(cells.join(" "));
    }
  }
}
