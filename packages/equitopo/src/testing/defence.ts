/**
 * The laws of every defence: rows that agree stay, missing rows change nothing, no row moves another further than the defence
 * declares, honest sums are kept if it declares so, and the whole network does what its nodes do one by one.
 */

import { settle } from "../input/option.ts";
import { RandomStream } from "../random/stream.ts";
import type { Defence, DefenceFamily } from "../robust/defence.ts";
import { distanceBetween, stepTowards } from "../robust/difference.ts";
import { hearRound } from "../robust/hear.ts";
import { meanRow } from "../round/distance.ts";
import type { Round, Rows } from "../round/round.ts";
import { createTopology } from "../topology/registry.ts";
import { type Law, lawsOf, must, near, same } from "./law.ts";
import { gap } from "./network.ts";

const d = 6;

/** Rows of numbers between -size and size, from a seed. */
function rowsOf(count: number, size: number, seed: number): Float64Array[] {
  const random = new RandomStream(seed, 900);
  return Array.from({ length: count }, () => Float64Array.from({ length: d }, () => size * (2 * random.uniform() - 1)));
}

/** What liars try: far rows, rows whose squares overflow, and no numbers at all. */
const wild = [1e3, 1e30, 1e200, 1.7e308, -1.7e308, Number.POSITIVE_INFINITY, Number.NaN].map((value) =>
  new Float64Array(d).fill(value),
);

/**
 * The laws that a defence must keep, registered or not; `options` are its own.
 *
 * @example
 * ```ts
 * import { defences } from "equitopo/robust";
 * import { defenceLaws } from "equitopo/testing";
 * const laws = defenceLaws(defences.get("clip"), { radius: 1 });
 * for (const law of laws) await law.run();
 * laws.length // => 7
 * ```
 */
export function defenceLaws(member: DefenceFamily, options: Readonly<Record<string, unknown>> = {}): Law[] {
  const settled = settle(member.name, member.options, options);
  const defence: Omit<Defence, "spec"> = member.create(settled);
  const mixed = (x: Rows, weights: readonly number[], rows: readonly Rows[]): Rows => {
    const y = x.slice().fill(Number.NaN) as Rows;
    defence.row(y, x, weights, rows);
    return y;
  };
  const hear = (round: Round, x: Rows): Rows =>
    hearRound(round, x, x, x.slice() as Rows, { spec: { kind: member.name }, ...defence });
  const finite = (row: Rows) => row.every((value) => Number.isFinite(value));

  function agreement(): void {
    for (const Kind of [Float64Array, Float32Array]) {
      const x = Kind.from([0.1, -1 / 3, 1e-300, 7e7, 0, 1]);
      same(mixed(x, [0.3, 0.2, 0.1], [x.slice(), x.slice(), x.slice()]), x, "a row among its like");
      same(mixed(x, [], []), x, "a row that hears nobody");
    }
  }

  function wildRows(): void {
    const [x, ...others] = rowsOf(4, 0.1, 1);
    for (const said of wild) {
      const y = mixed(x, [0.2, 0.2, 0.2, 0.2], [others[0], said, others[1], others[2]]);
      must(finite(y), `one that hears ${said[0]} holds ${y.join(" ")}`);
    }
  }

  function bounded(): void {
    const { reach, withstands } = defence;
    must(reach !== undefined || withstands !== undefined, "it promises nothing");
    for (let seed = 0; seed < 20; seed++) {
      const [x, ...honest] = rowsOf(4, 1, seed);
      for (const said of [...wild, ...rowsOf(3, 5, seed + 1000)]) {
        if (reach !== undefined) {
          const moved = distanceBetween(mixed(x, [0.4], [said]), x);
          must(moved <= 0.4 * reach * (1 + 1e-12), `${said[0]} moves a row further than w radius`);
        }
        if (withstands === undefined) continue;
        const rows = [...Array.from({ length: withstands }, () => said), ...honest];
        const weights = rows.map(() => 0.9 / rows.length);
        mixed(x, weights, rows).forEach((value, k) => {
          const known = [x, ...honest].map((row) => row[k]);
          const inside = value >= Math.min(...known) - 1e-12 && value <= Math.max(...known) + 1e-12;
          must(inside, `${said[0]} moves number ${k} out of what honest nodes hold`);
        });
      }
    }
  }

  /** Whether every exchange of two nodes keeps their sum, near or far. */
  function keepsSums(): boolean {
    return [0.01, 1, 100].every((size) =>
      Array.from({ length: 20 }, (_, seed) => rowsOf(2, size, seed)).every(([a, b]) => {
        const [newA, newB] = [mixed(a, [0.5], [b]), mixed(b, [0.5], [a])];
        return a.every((value, k) => Math.abs(newA[k] + newB[k] - value - b[k]) <= 1e-12 * size);
      }),
    );
  }

  /** Over a whole undirected network, whose nodes hear several others and differ much. */
  function meanKept(): void {
    const { n, round } = createTopology({ name: "u-equistatic", n: 9, basis: [1, 4] });
    const x = Float64Array.from(rowsOf(n, 3, 5).flatMap((row) => [...row]));
    const drift = gap(meanRow(hear(round(0), x), n), meanRow(x, n));
    if (member.keepsMean) {
      must(keepsSums(), "an exchange of two nodes changes their sum");
      near(drift, 0, "the mean of honest nodes moves by", 1e-12);
    } else must(drift > 1e-6, "it keeps the mean, and declares that it does not");
  }

  function brings(): void {
    const { n, round } = createTopology({ name: "u-equistatic", n: 9, basis: [1, 4] });
    let x: Rows = Float64Array.from(rowsOf(n, 0.1, 8).flatMap((row) => [...row]));
    const spread = () => Math.max(...x.map((value, k) => Math.abs(value - x[k % d])));
    const before = spread();
    for (let t = 0; t < 200; t++) x = hear(round(t), x);
    must(spread() < 0.5 * before, `honest nodes that are near stay ${spread()} apart, from ${before}`);
  }

  function rowByRow(): void {
    for (const name of ["ring", "od-equidyn", "ou-equidyn", "complete"]) {
      const topology = createTopology({ name, n: 7 });
      for (const Kind of [Float64Array, Float32Array]) {
        const x = Kind.from(rowsOf(7, 2, 3).flatMap((row) => [...row]));
        const all = hear(topology.round(3), x);
        const row = (node: number) => x.slice(node * d, (node + 1) * d);
        for (let i = 0; i < 7; i++) {
          const { from } = topology.peers(3, i);
          const weights = from.map(({ weight }) => weight);
          const heard = from.map(({ node }) => row(node));
          same(mixed(row(i), weights, heard), all.slice(i * d, (i + 1) * d), `node ${i} over ${name}`);
        }
      }
    }
  }

  function weightsAsSaid(): void {
    const [x, close, closer, far] = [...rowsOf(3, 0.01, 2), ...rowsOf(1, 50, 9)];
    const rows = [close, far, wild[6], closer];
    const y = x.slice();
    const shares = defence.row(y, x, [0.2, 0.2, 0.2, 0.2], rows);
    if (shares === undefined) return;
    same([shares[0], shares[2], shares[3]], [0.2, 0, 0.2], "weights of rows that are near, no numbers, and near");
    const again = x.slice();
    stepTowards(again, x, shares, rows);
    same(y, again, "the rows mixed by the weights that it reports");
  }

  return lawsOf({
    "rows that agree, and rows that hear nobody, stay to the last bit": agreement,
    "whatever a node hears, numbers stay numbers": wildRows,
    "a liar moves a row no further than the defence declares": bounded,
    "the mean of honest nodes is kept if it declares so, and only then": meanKept,
    "honest nodes that are near each other come together": brings,
    "the network does what its nodes do one by one, to the last bit": rowByRow,
    "the weights that it reports are those that it mixed by": weightsAsSaid,
  });
}
