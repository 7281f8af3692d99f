/** Browsers as peers: links, the lane over them, rooms with seats. Runs in a page, in a worker and in Node. */

export type { Link, LinkListener } from "./link/link.ts";
export { LiveBoard, type LiveCurve, type LivePeer, type LiveSource } from "./live/board.ts";
export {
  decodeLive,
  encodeLive,
  type LiveEvent,
  type LiveFaults,
  type LiveLine,
  type LiveRound,
  type LiveSpec,
} from "./live/event.ts";
export { type WatchOptions, watchLive } from "./live/watch.ts";
