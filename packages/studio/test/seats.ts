/** Seats in a real Chromium for the tests: tabs of separate contexts, what they show, and a Node peer that can be held. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { classificationFamily } from "@equitopo/nn";
import { problems as built } from "equitopo";
import type { Browser, Page } from "playwright-core";
import { stateHash } from "../../equitopo/src/number/hash.ts";
import type { Request, Transport } from "../../equitopo/src/peer/exchange/transport.ts";
import { createProblem, problems } from "../../equitopo/src/problem/registry.ts";
import { simulate } from "../../equitopo/src/run/simulate.ts";
import { parseSpec, type RunSpec, type SpecDocument } from "../../equitopo/src/run/spec.ts";
import { createTopology } from "../../equitopo/src/topology/registry.ts";

/** The built page. */
export const page = readFileSync(fileURLToPath(new URL("../dist/join.html", import.meta.url)));

/** WebRTC finds no way where there is only loopback. */
export const networked = Object.values(networkInterfaces()).some((list) => list?.some(({ internal }) => !internal));

// The sources that tests load, and the built library that packages find, have a registry each.
for (const registry of [problems, built]) {
  if (!registry.names.includes("classification")) registry.add(classificationFamily);
}

/** Softmax regression on a few small images. */
export const softmax = (n: number, rounds: number) =>
  parseSpec({
    topologies: [{ name: "od-equidyn", n }],
    algorithms: [{ name: "dsgd", learningRate: 0.1 }],
    problem: {
      ...{ name: "classification", data: { name: "synthetic", size: 24, noise: 0.05 }, model: "softmax-regression" },
      ...{ images: 40 * n, tests: 200, batch: 10 },
    },
    ...{ rounds, every: rounds, evaluate: rounds, seeds: [3] },
  });

/** What the simulator ends with: the hash of every row, and the metrics of its evaluation. */
export function simulatedRows(run: RunSpec): { hashes: string[]; accuracy: number } {
  const { n, d, x, evaluations } = simulate({
    ...{ topology: createTopology(run.topology), problem: createProblem(run.problem), algorithm: run.algorithm },
    ...{ rounds: run.rounds, seed: run.seed, every: run.every, ...(run.evaluate && { evaluate: run.evaluate }) },
  });
  const hashes = Array.from({ length: n }, (_, i) => stateHash(x.slice(i * d, (i + 1) * d)));
  return { hashes, accuracy: evaluations?.metrics["meanAccuracy"]?.at(-1) ?? Number.NaN };
}

/** A tab of its own context at an invite link. */
export async function tab(browser: Browser, link: string): Promise<Page> {
  const context = await browser.newContext();
  const opened = await context.newPage();
  await opened.goto(link);
  // A link that is not whole has nothing to join.
  if ((await opened.locator("#join").count()) > 0) await opened.click("#join");
  return opened;
}

/** Waits until a tab is in one of these phases. */
export async function until(tab: Page, ...phases: readonly string[]): Promise<void> {
  await tab.waitForSelector(phases.map((phase) => `main[data-phase="${phase}"]`).join(), { timeout: 90_000 });
}

export async function rankOf(tab: Page): Promise<number> {
  return Number(await tab.getAttribute("main", "data-rank"));
}

/** What a tab that has ended shows. */
export async function shownBy(tab: Page) {
  await until(tab, "ended");
  return {
    rank: await rankOf(tab),
    hash: await tab.textContent(".row-hash"),
    accuracy: Number.parseFloat((await tab.textContent("#accuracy")) ?? ""),
    missed: Number(await tab.getAttribute("#missed", "data-missed")),
    /** Links from tab to tab, and those through the server. */
    direct: Number(await tab.getAttribute("#links", "data-rtc")),
    relayed: Number(await tab.getAttribute("#links", "data-relay")),
  };
}

/** Holds a peer before an exchange, and with it, soon, all others: whatever is done then is done midway. */
export function hold(transport: Transport, exchange: number): { readonly held: Promise<void>; release(): void } {
  let [reach, release] = [() => {}, () => {}];
  const held = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const go = transport.exchange.bind(transport);
  let count = 0;
  transport.exchange = async (request: Request) => {
    if (++count === exchange) {
      reach();
      await released;
    }
    return go(request);
  };
  return { held, release };
}

const bin = fileURLToPath(new URL("../../cli/bin/equitopo.js", import.meta.url));

/** `equitopo serve` on a spec: its link, and in the end its result. */
export async function serve(document: SpecDocument, ...words: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "equitopo-serve-"));
  const spec = join(folder, "spec.json");
  writeFileSync(spec, JSON.stringify(document));
  const out = join(folder, "out");
  const child = spawn(process.execPath, [bin, "serve", spec, "--json", "--quiet", "--out", out, ...words]);
  const said = text(child.stdout);
  let told = "";
  const link = await new Promise<string>((resolve, reject) => {
    child.stderr.on("data", (more) => {
      told += more;
      const found = /invite: (\S+)\s/.exec(told)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", (code) => reject(new Error(`serve ended with ${code}: ${told}`)));
  });
  const result = async () => {
    if (child.exitCode === null) await once(child, "exit");
    if (child.exitCode !== 0) throw new Error(told);
    return JSON.parse(await said);
  };
  const end = async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    rmSync(folder, { recursive: true, force: true });
  };
  return { link, out, result, end };
}
