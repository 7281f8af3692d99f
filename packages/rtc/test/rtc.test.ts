import { afterAll } from "vitest";
import { conformance } from "../../equitopo/test/peer/conformance.ts";
import { openLinks } from "../../web/test/lane/open-links.ts";
import { closeRtc } from "../src/load.ts";
import { rtcPair } from "./pair.ts";

afterAll(closeRtc);

conformance("node-datachannel", (size, options) =>
  openLinks(
    size,
    async (i, j) => {
      const [here, there] = await rtcPair(size, i, j);
      return [here.link, there.link];
    },
    options,
  ),
);
