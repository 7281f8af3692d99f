/** Checkpoints: whole or refused. */

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { loadCheckpoints, saveCheckpoint } from "../../../equitopo/src/peer/course/checkpoint.ts";
import { fileStore } from "../../src/files/file-store.ts";

const folder = mkdtempSync(join(tmpdir(), "equitopo-checkpoint-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, "peer.ckpt");
const state = { x: Float64Array.of(1, -0, Number.NaN, 5e-324), m: Float32Array.of(0.1, 2) };
const id = "0123456789abcdef0123456789abcdef";
const whole = { spec: "a spec", rank: 3, id, run: 1, round: 170, state };

describe("a checkpoint", () => {
  it("comes back bit by bit, and takes the place of the one before", async () => {
    await saveCheckpoint(fileStore(path), { ...whole, round: 160 });
    await saveCheckpoint(fileStore(path), whole);
    expect(await loadCheckpoints(fileStore(path), ["first", "a spec"], 3)).toEqual([whole, { ...whole, round: 160 }]);
    expect(readdirSync(folder)).toEqual(["peer.ckpt", "peer.ckpt.previous"]);
  });

  it("is not there where there is none, and says where it cannot be written", async () => {
    expect(await loadCheckpoints(fileStore(join(folder, "nothing")), ["first", "a spec"], 3)).toEqual([]);
    await expect(saveCheckpoint(fileStore(join(folder, "no", "such")), whole)).rejects.toThrow(
      /must be writable \(ENOENT\)/,
    );
  });

  it("of another spec or peer is refused", async () => {
    await saveCheckpoint(fileStore(path), whole);
    await expect(loadCheckpoints(fileStore(path), ["another"], 3)).rejects.toThrow(/of this very spec/);
    await expect(loadCheckpoints(fileStore(path), ["first", "a spec"], 4)).rejects.toThrow(/of peer 4, not of peer 3/);
  });

  it("is found again by its run, wherever that now stands in the list", async () => {
    await saveCheckpoint(fileStore(path), whole);
    const [{ run, spec }] = await loadCheckpoints(fileStore(path), ["a spec", "next"], 3);
    expect([run, spec]).toEqual([0, "a spec"]);
  });

  it("is refused when any byte of it is changed or missing", async () => {
    await saveCheckpoint(fileStore(path), whole);
    const bytes = readFileSync(path);
    const broken = join(folder, "broken");
    await fc.assert(
      fc.asyncProperty(
        fc.nat(bytes.length - 1),
        fc.integer({ min: 1, max: 255 }),
        fc.boolean(),
        async (at, change, cut) => {
          const copy = Buffer.from(cut ? bytes.subarray(0, at) : bytes);
          if (!cut) copy[at] ^= change;
          writeFileSync(broken, copy);
          await expect(loadCheckpoints(fileStore(broken), ["first", "a spec"], 3)).rejects.toThrow(
            /an undamaged checkpoint/,
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each([
    ["the newest", "", 160],
    ["the one before", ".previous", 170],
  ])("falls back to the other where %s is damaged, or cannot be read", async (_name, suffix, round) => {
    const damaged = join(folder, "damaged");
    const told: string[] = [];
    const rounds = async () => {
      const found = await loadCheckpoints(fileStore(damaged), ["first", "a spec"], 3, (text) => told.push(text));
      return found.map((checkpoint) => checkpoint.round);
    };
    await saveCheckpoint(fileStore(damaged), { ...whole, round: 160 });
    await saveCheckpoint(fileStore(damaged), whole);
    const bytes = readFileSync(damaged + suffix);
    writeFileSync(damaged + suffix, bytes.subarray(0, bytes.length >> 1));
    expect(await rounds()).toEqual([round]);
    rmSync(damaged + suffix);
    mkdirSync(damaged + suffix);
    expect(await rounds()).toEqual([round]);
    expect(told).toEqual([expect.stringMatching(/other of the last two/), expect.stringMatching(/other of the last/)]);
    rmSync(damaged + suffix, { recursive: true });
  });

  it("leaves nothing behind of killed programs, and touches no living one's", async () => {
    const swept = join(folder, "swept.ckpt");
    const dead = spawnSync(process.execPath, ["--version"]).pid;
    const left = [dead, process.pid, process.ppid].map((pid) => `swept.ckpt.${pid}.tmp`);
    for (const name of [...left, `swept.ckpt.x.${dead}.tmp`, "swept.ckpt.tmp"])
      writeFileSync(join(folder, name), "half");
    expect(await fileStore(swept).load()).toEqual([]);
    const found = readdirSync(folder).filter((name) => name.startsWith("swept"));
    expect(found.sort()).toEqual([left[2], "swept.ckpt.tmp", `swept.ckpt.x.${dead}.tmp`].sort());
  });

  it("can be read by its owner only", async () => {
    const secret = join(folder, "secret.ckpt");
    await saveCheckpoint(fileStore(secret), whole);
    expect(statSync(secret).mode & 0o077).toBe(0);
  });

  it("that several programs write is refused to all but the first", async () => {
    const shared = join(folder, "shared.ckpt");
    const [first, second, third] = [0, 1, 2].map(() => fileStore(shared));
    for (const store of [first, second, third]) await store.load();
    await first.save(Uint8Array.of(1));
    await expect(second.save(Uint8Array.of(2))).rejects.toThrow(/must be one peer's own, got ".*name it with %r/);
    await expect(third.save(Uint8Array.of(3))).rejects.toThrow(/must be one peer's own/);
    await first.save(Uint8Array.of(4));
    // A program that was started again goes on with what it has found.
    const again = fileStore(shared);
    await again.load();
    await again.save(Uint8Array.of(5));
    expect([...readFileSync(shared)]).toEqual([5]);
  });

  it("that cannot be read at all says why", async () => {
    const unreadable = join(folder, "unreadable");
    mkdirSync(unreadable);
    await expect(fileStore(unreadable).load()).rejects.toThrow(/must be readable \(EISDIR\)/);
  });
});
