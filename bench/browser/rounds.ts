/** A one-peer round of n = 4 and 60,000 float32: over WebRTC between tabs, and over WebSocket between tabs and Node. */

import type { Report } from "../bench.ts";
import { length, n, vectorBytes, type What } from "./loops.ts";
import { openNetwork } from "./network.ts";

const whats: readonly What[] = ["bare", "averaged", "ours"];

/** Rounds in a block, so that it takes about a second. */
const roundsIn = { rtc: 25, websocket: 200 } as const;

const names = { rtc: "WebRTC, 4 tabs", websocket: "WebSocket, 2 tabs and 2 Node peers" } as const;

export async function benchRounds(blocks: number, report: Report): Promise<void> {
  console.log(`one-peer round, n = ${n}, ${length} float32: the best of ${blocks} blocks, taken in turn`);
  console.log(
    "                                      bare   with averaging    equitopo   ratio to each   us of CPU per kB",
  );
  for (const mode of ["rtc", "websocket"] as const) {
    const network = await openNetwork(mode);
    const rounds = roundsIn[mode];
    const least = {
      bare: Number.POSITIVE_INFINITY,
      averaged: Number.POSITIVE_INFINITY,
      ours: Number.POSITIVE_INFINITY,
    };
    const cpu = { bare: 0, averaged: 0, ours: 0 };
    let first = 0;
    // The first large rounds after connecting are up to twice as slow.
    for (const what of whats) await network.run({ what, first: first++ * rounds, rounds });
    for (let block = 0; block < blocks; block++) {
      for (const what of whats) {
        const { ms, processor } = await network.run({ what, first: first++ * rounds, rounds });
        least[what] = Math.min(least[what], ms);
        cpu[what] += processor ?? Number.NaN;
      }
    }
    await network.close();
    report.figure({
      ...{ name: `a round of ${n} peers with ${length} floats, ${names[mode]}`, value: least.ours, unit: "ms" },
      beside: { what: "the bare channels", value: least.bare },
    });
    const perKilobyte = (seconds: number) => ((1e9 * seconds) / (blocks * rounds * n * vectorBytes)).toFixed(1);
    const time = (ms: number) => `${ms.toFixed(ms < 10 ? 2 : 1)} ms`.padStart(10);
    console.log(
      `${names[mode].padEnd(34)}${time(least.bare)}       ${time(least.averaged)}  ${time(least.ours)}   ` +
        `${(least.ours / least.bare).toFixed(2)}  ${(least.ours / least.averaged).toFixed(2)}      ` +
        `${perKilobyte(cpu.bare)}, ours ${perKilobyte(cpu.ours)}`,
    );
  }
}
