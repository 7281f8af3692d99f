/**
 * Two claims. A round of browser peers costs at most 1.5 times the bare channel under it, WebRTC between tabs and WebSocket
 * between tabs and Node, measured side by side in the same run; with the processor time per kB sent. And the studio's view
 * of rounds is drawn at least 30 times a second at n = 10,000.
 *
 * npm run bench -- browser; --blocks 2 for a short look.
 */

import type { Options, Report } from "./bench.ts";
import { benchFrames } from "./browser/frames.ts";
import { benchRounds } from "./browser/rounds.ts";

export default async function main(options: Options, report: Report): Promise<void> {
  await benchRounds(Number(options["blocks"] ?? 8), report);
  await benchFrames(report);
}
