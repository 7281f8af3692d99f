import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { normalize } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTopology, type GossipOptions, gossip, stateHash } from "../src/index.ts";
import { launchChromium } from "./chromium.ts";

/** A page that has the library as it is built, file by file. */
const html = `<!doctype html><title>equitopo</title>
  <script type="module">import * as equitopo from "/index.js"; globalThis.equitopo = equitopo;</script>`;
const dist = fileURLToPath(new URL("../dist", import.meta.url));
let server: Server;
let browser: Browser;
let origin: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = normalize(request.url ?? "/");
    try {
      const script = path.endsWith(".js");
      response.setHeader("content-type", script ? "text/javascript" : "text/html");
      response.end(script ? readFileSync(dist + path) : html);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await launchChromium();
}, 120_000);

afterAll(async () => {
  await browser?.close();
  server?.close();
});

describe("a real Chromium gossips 1000 nodes to Node's bytes", () => {
  const cases: [string, { name: string; n: number; m?: number }, GossipOptions][] = [
    ["shifts", { name: "od-equidyn", n: 1000 }, { d: 20, rounds: 50 }],
    ["pairs, float32", { name: "ou-equidyn", n: 1000 }, { d: 21, rounds: 50, type: "float32" }],
    ["many shifts", { name: "d-equistatic", n: 1000, m: 35 }, { d: 9, rounds: 10 }],
    ["edges with lost messages", { name: "grid", n: 1000 }, { d: 5, rounds: 20, drop: 0.2, seed: 3 }],
    ["push-sum", { name: "static-exp", n: 1000 }, { d: 3, rounds: 20, drop: 0.2, pushSum: true }],
  ];

  test.each(cases)("%s", async (_, spec, options) => {
    const here = gossip(createTopology(spec), options);
    const page = await browser.newPage();
    await page.goto(origin);
    const there = await page.evaluate(
      async ([spec, options]) => {
        const { equitopo } = globalThis as unknown as { equitopo: typeof import("../src/index.ts") };
        const record = await equitopo.gossipAsync(equitopo.createTopology(spec), options);
        // The kernels are at work if rows lie in a wasm memory, which is larger than they are.
        const kernels = equitopo.kernelMixer(10).rows(1).buffer.byteLength > 80;
        return { hash: equitopo.stateHash(record.x), errors: record.errors, kernels };
      },
      [spec, options] as const,
    );
    await page.close();
    expect(there).toEqual({ hash: stateHash(here.x), errors: here.errors, kernels: true });
  });
});
