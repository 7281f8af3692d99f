/** One of eight processes dies: with the default timeout of 10 s, how fast do the others go on? */

import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { freePorts } from "../../src/server/free-ports.ts";

const program = fileURLToPath(new URL("./gone-peer.mjs", import.meta.url));
const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

it("the others run at half their rate or more within 10 s of the death", async () => {
  const [n, dead] = [8, 3];
  const ports = await freePorts(n);
  const reached = new Array<number>(n).fill(-1);
  const start = (rank: number): ChildProcess => {
    const child = fork(program, [JSON.stringify({ rank, ports, pause: 20 })]);
    child.on("message", (round: number) => {
      reached[rank] = round;
    });
    return child;
  };
  const children = reached.map((_, rank) => start(rank));
  try {
    while (Math.min(...reached) < 20) await sleep(20);
    /** Rounds a second of the slowest of the others. */
    const rate = async (seconds: number) => {
      const [before, begun] = [reached.slice(), performance.now()];
      await sleep(1000 * seconds);
      const gained = reached.map((round, rank) => (rank === dead ? Number.POSITIVE_INFINITY : round - before[rank]));
      return Math.min(...gained) / ((performance.now() - begun) / 1000);
    };
    const undisturbed = await rate(3);
    children[dead].kill("SIGKILL");
    // In the very first seconds, which the death itself falls into, and after them.
    const atOnce = await rate(2);
    const after = await rate(3);
    const say = (value: number) => value.toFixed(1);
    console.log(
      `rounds/s: ${say(undisturbed)}; in the 2 s after a death ${say(atOnce)}, in the next 3 s ${say(after)}`,
    );
    expect(after).toBeGreaterThan(undisturbed / 2);
  } finally {
    for (const child of children) child.kill("SIGKILL");
  }
}, 60_000);
