import { type Fingerprints, introduce, type Link } from "@equitopo/web";
import { afterAll, describe, expect, it } from "vitest";
import { conformance } from "../../equitopo/test/peer/conformance.ts";
import { openLinks } from "../../web/test/lane/open-links.ts";
import { closeRtc, loadRtc } from "../src/load.ts";
import { rtcPair } from "./pair.ts";

const missing = await loadRtc().then(
  () => undefined,
  (error: Error) => error.message,
);
if (missing !== undefined) console.warn(`SKIPPED: WebRTC in Node: ${missing}`);

afterAll(closeRtc);

const network = { mode: "rtc", spec: new Uint8Array(32).fill(1), key: new Uint8Array(32).fill(7) } as const;

if (missing === undefined) {
  conformance("node-datachannel", (size, options) =>
    openLinks(
      size,
      async (i, j) => {
        const [a, b] = await rtcPair();
        const [here, there] = await Promise.all([
          introduce(a.link, { ...network, ...a, size, role: "dialler", rank: i, peer: j }),
          introduce(b.link, { ...network, ...b, size, role: "listener", rank: j, peer: i }),
        ]);
        return [here.link, there.link];
      },
      options,
    ),
  );
}

describe.skipIf(missing !== undefined)(
  "a man in the middle who ends DTLS at himself on both sides and passes all bytes on",
  () => {
    const pass = (from: Link, to: Link) =>
      from.listen({ message: (bytes) => to.send(bytes), drained: () => {}, closed: () => to.close() });

    async function outcomes(of: (seen: Fingerprints) => Fingerprints): Promise<string[]> {
      const [[a, left], [right, b]] = await Promise.all([rtcPair(), rtcPair()]);
      pass(left.link, right.link);
      pass(right.link, left.link);
      const dialler = { ...network, size: 2, role: "dialler", rank: 0, peer: 1 } as const;
      const listener = { ...network, size: 2, role: "listener", rank: 1, peer: 0 } as const;
      const introductions = await Promise.allSettled([
        introduce(a.link, { ...dialler, fingerprints: of(a.fingerprints) }),
        introduce(b.link, { ...listener, fingerprints: of(b.fingerprints) }),
      ]);
      for (const { link } of [a, b, left, right]) link.close();
      return introductions.map((one) => (one.status === "fulfilled" ? "passed" : one.reason.reason));
    }

    it("is refused by both, since each sees his certificate in place of the other's", async () => {
      expect(await outcomes((seen) => seen)).toEqual(["key", "closed"]);
    });

    it("would pass if the proofs were not bound to the certificates", async () => {
      expect(await outcomes(() => ({ dialler: "", listener: "" }))).toEqual(["passed", "passed"]);
    });
  },
);
