/** The runs of specs over links: the simulator's bits, compressed and with losses on purpose. */

import { equalTheSimulator } from "../../../equitopo/test/peer/runs.ts";
import { portLink } from "../../src/link/port-link.ts";
import { openLinks } from "./open-links.ts";

equalTheSimulator("links", async (size) => {
  const { peers } = await openLinks(size, () => {
    const { port1, port2 } = new MessageChannel();
    return [portLink(port1), portLink(port2)];
  });
  return peers;
});
