/**
 * Claim: a round of browser peers costs at most 1.5 times the bare channel under it, WebRTC between tabs and WebSocket
 * between tabs and Node, measured side by side in the same run; with the processor time per kB sent.
 *
 * npm run bench -- browser; EQUITOPO_BENCH_BLOCKS=2 for a short look.
 */

import { benchRounds } from "./browser/rounds.ts";

export default async function main(): Promise<void> {
  await benchRounds();
}
