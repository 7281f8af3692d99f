/** `equitopo run` that is interrupted: nothing finished is lost, and it goes on to the same result. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodeCheckpoint } from "equitopo/run";
import { describe, expect, it } from "vitest";
import { bin, parsed, scratch, spawned } from "../command.ts";

const folder = scratch();
const least = {
  topologies: [{ name: "ou-equidyn", n: 17 }],
  algorithms: [{ name: "dsgt", learningRate: 0.01 }],
  problem: { name: "least-squares" },
};

function specFile(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

// Three runs each, on a machine that may be busy.
describe("run, interrupted", { timeout: 240_000 }, () => {
  it("loses nothing when it is interrupted, and resumes to the same result", async () => {
    const long = specFile("long.json", JSON.stringify({ ...least, rounds: 1500, seeds: [1, 2, 3, 4, 5, 6] }));
    const whole = parsed(spawned(`run ${long} --out ${join(folder, "whole")} --json`));
    const out = join(folder, "interrupted");
    const child = spawn(process.execPath, [bin, "run", long, "--out", out, "--workers", "1"], { stdio: "pipe" });
    let told = "";
    child.stderr.on("data", (text) => {
      told += text;
    });
    const journal = join(out, "journal.ndjson");
    // At least one unit is finished and at least one is not.
    while (!existsSync(journal) || readFileSync(journal, "utf8").split("\n").length < 4) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    child.kill("SIGINT");
    const [code] = await once(child, "exit");
    if (code === 130) expect(told).toContain("--resume goes on");
    expect([0, 130]).toContain(code);
    const kept = readFileSync(journal, "utf8").trimEnd().split("\n");
    expect(parsed(spawned(`run ${long} --out ${out} --resume --json`))).toEqual(whole);
    expect(readFileSync(journal, "utf8").split("\n").slice(0, kept.length)).toEqual(kept);
  });

  it("goes on inside a single run: where Ctrl-C found it, bit for bit", async () => {
    const topologies = [{ name: "ou-equidyn", n: 100 }];
    const long = specFile(
      "one.json",
      JSON.stringify({ ...least, topologies, rounds: 40_000, every: 40_000, seeds: [1] }),
    );
    const begun = performance.now();
    const whole = parsed(spawned(`run ${long} --out ${join(folder, "one")} --json`));
    // In the middle of it, however fast this machine is at the moment.
    const middle = 0.4 * (performance.now() - begun);
    const out = join(folder, "one-stopped");
    const child = spawn(process.execPath, [bin, "run", long, "--out", out], { stdio: "pipe" });
    let told = "";
    child.stderr.on("data", (text) => {
      told += text;
    });
    while (!existsSync(join(out, "journal.ndjson"))) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, middle));
    child.kill("SIGINT");
    const [code] = await once(child, "exit");
    expect([code, told]).toEqual([130, expect.stringContaining("--resume goes on")]);
    const [name] = readdirSync(join(out, "checkpoints"));
    const { header } = decodeCheckpoint(readFileSync(join(out, "checkpoints", name)), "run");
    const { updates } = header as { updates: number };
    expect(updates).toBeGreaterThan(0);
    expect(updates).toBeLessThan(40_000);
    expect(parsed(spawned(`run ${long} --out ${out} --resume --json`))).toEqual(whole);
    // A run may be lengthened; with anything else changed it is another one.
    expect(spawned(`run ${long} --out ${join(folder, "nowhere")} --resume`).stderr).toMatch(/folder with a checkpoint/);
  });
});
