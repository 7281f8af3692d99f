/**
 * What a defence costs a peer: milliseconds to mix its own row of d float32 numbers with those of 1 and of 6 peers, plain
 * (the loop that defines it), clipped, guarded and trimmed. The limit is the plain one.
 */

import { createTopology, type Rows } from "equitopo";
import { createDefence, hearRound } from "equitopo/robust";
import { plainMixer } from "equitopo/round";
import type { Options, Report } from "./bench.ts";
import { interleaved, milliseconds } from "./measure.ts";

const d = 100_000;
const defences = [
  { kind: "clip", radius: 1 },
  { kind: "guard", radius: 1e9 },
  { kind: "trim", trim: 1 },
  { kind: "trim", trim: 2 },
];

export default function robust(_: Options, report: Report): void {
  console.log(`a row of ${d} float32 numbers and those of 1, of 6 peers: milliseconds (times plain mixing)`);
  const tables = [1, 6].map((degree) => times(degree));
  ["plain", ...defences.map((spec) => Object.values(spec).join(" "))].forEach((name, k) => {
    const cells = tables.map((list) => `${milliseconds(list[k])} (${(list[k] / list[0]).toFixed(1)})`);
    console.log(name.padEnd(12), cells.join("   "));
    tables.forEach((list, at) => {
      const beside = { what: "plain mixing", value: list[0] };
      report.figure({
        name: `a row of ${d} numbers with ${[1, 6][at]} peers', ${name}`,
        value: list[k],
        unit: "ms",
        beside,
      });
    });
  });
}

/** Of a whole network whose nodes hear so many, divided by its nodes. */
function times(degree: number): number[] {
  const n = 7;
  const round = createTopology(degree === 1 ? { name: "od-equidyn", n } : { name: "d-equistatic", n, m: 6 }).round(0);
  const x = Float32Array.from({ length: n * d }, (_, k) => Math.sin(k));
  const mixer = plainMixer(n, "float32");
  let rows: Rows = x.slice();
  const y = x.slice();
  const works = [
    () => {
      rows = mixer.mix(round, rows);
    },
    ...defences.map((spec) => {
      const defence = createDefence(spec);
      return () => void hearRound(round, x, x, y, defence);
    }),
  ];
  return interleaved(works).map((time) => time / n);
}
