import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InputError } from "equitopo";
import { afterAll, expect, test } from "vitest";
import { contextFor } from "../../../src/command/worker/room.ts";

const folder = mkdtempSync(join(tmpdir(), "equitopo-data-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a room names the files of a peer, and gets none outside of the folder that the peer was given", () => {
  const data = join(folder, "data");
  mkdirSync(join(data, "sub"), { recursive: true });
  writeFileSync(join(data, "mine.csv"), "1,0\n");
  writeFileSync(join(data, "sub", "deep.csv"), "2,0\n");
  writeFileSync(join(folder, "secret.csv"), "3,0\n");
  const { files } = contextFor({ data });
  expect(["mine.csv", "sub/deep.csv", "sub/../mine.csv"].map((name) => files?.has(name))).toEqual([true, true, true]);
  const outside = [
    "../secret.csv",
    "sub/../../secret.csv",
    join(folder, "secret.csv"),
    join(data, "mine.csv"),
    "package.json",
  ];
  expect(outside.map((name) => files?.has(name))).toEqual(outside.map(() => false));
  for (const name of outside.slice(0, 4)) expect(() => files?.read(name), name).toThrow(InputError);
  expect(contextFor({})).toEqual({});
});
