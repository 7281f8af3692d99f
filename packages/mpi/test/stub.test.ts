/** MPICH's handles and survival of a rank's death, on a libmpi made for the purpose. */

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), "equitopo-mpi-"));
afterAll(() => rmSync(folder, { recursive: true }));

function compile(source: string, name: string, flags: readonly string[] = []): string {
  const library = path.join(folder, name);
  const words = ["-shared", "-fPIC", "-o", library, ...flags, here(source)];
  expect(spawnSync(process.env["CC"] ?? "cc", words, { encoding: "utf8" }).stderr).toBe("");
  return library;
}

function run(flags: readonly string[], env: Record<string, string> = {}, name = "./stub-program.mjs") {
  const library = compile("./stub-libmpi.c", `libmpi${flags.join("")}.so`, flags);
  const program = spawnSync(process.execPath, [here(name), library], {
    ...{ encoding: "utf8", env: { ...process.env, ...env }, timeout: 30_000 },
  });
  expect(program.stderr).toBe("");
  expect(program.status).toBe(0);
  return JSON.parse(program.stdout);
}

if (existsSync(here("../dist/native/equitopo-mpi.node"))) {
  describe("on a stub of libmpi", () => {
    for (const mpich of [false, true]) {
      const kind = mpich ? "MPICH's" : "Open MPI's";
      it(`${kind} handles with ULFM: the dead are missed, the living shrink and go on`, () => {
        expect(run([...(mpich ? ["-DMPICH"] : []), "-DULFM"])).toEqual({
          library: { version: "stub", mpich, ulfm: true },
          before: [0, 3],
          first: [[0, 1], null],
          lost: true,
          after: [0, 2, false],
          second: [[1, 1]],
          refused: [["process failed", 1]],
        });
      });

      it(`${kind} handles without ULFM: shrinking says what it needs`, () => {
        const seen = run(mpich ? ["-DMPICH"] : []);
        expect(seen.first).toEqual([[0, 1], null]);
        expect(seen.lost).toBe(false);
        expect(seen.error).toMatch(/Open MPI 5/);
      });
    }

    it("a vector lands in the memory that was offered for it, and one that was not expected does no harm", () => {
      expect(run(["-DULFM"], {}, "./stub-offers.mjs")).toEqual({
        asExpected: [1, 2].map((value) => [2000, value, value]),
        shorter: [null, [2000, 4, 4]],
        another: [null, [2000, 6, 6]],
        small: [null, [2000, 8, 8]],
        nothing: [null, [2000, 9, 9]],
        longer: [null, null, [3000, 11, 11]],
        refused: [
          ["length", 3],
          ["truncated", 1],
        ],
      });
    });

    it.runIf(process.platform === "linux")("waits on a clock that nobody sets", () => {
      // The time of day seems an hour ahead, as it does to whoever waits until then when it is put back.
      const clock = compile("./stub-clock.c", "clock.so");
      expect(run(["-DULFM", "-DSLOW"], { LD_PRELOAD: clock }).second).toEqual([[1, 1]]);
    });
  });
} else {
  console.error(
    "\n*** THE TESTS OF THE MPI ADDON DID NOT RUN: it is not built (no C compiler, or no Node headers) ***\n",
  );
  describe("the addon", () => {
    it("is not built here", () => expect(existsSync(here("../native/addon.c"))).toBe(true));
  });
}
