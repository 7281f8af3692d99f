/** The library at work beside the page. */

import { createTopology } from "equitopo";

addEventListener("message", ({ data }: MessageEvent<{ name: string; n: number }>) => {
  postMessage(createTopology(data).rate().rate);
});
