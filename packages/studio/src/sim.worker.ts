/** The library at work beside the page: as many of these as there are desks (desk.ts). */

import { jobs } from "./jobs.ts";
import type { ToWorker } from "./protocol.ts";
import { worker } from "./work.ts";

export function startWorker(): void {
  // A message to oneself has its turn after those of the page, and at once: timers wait for milliseconds.
  const { port1, port2 } = new MessageChannel();
  let next: () => void = () => {};
  port2.onmessage = () => next();

  const take = worker(jobs as never, {
    post: (message) => postMessage(message),
    now: () => performance.now(),
    later(callback) {
      next = callback;
      port1.postMessage(null);
    },
  });

  addEventListener("message", ({ data }: MessageEvent<ToWorker>) => take(data));
}
