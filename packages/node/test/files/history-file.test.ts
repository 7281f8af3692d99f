/** A history in a file: whole after every line, and gone on with after a killed program's half line. */

import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeHistory } from "equitopo/peer";
import { afterAll, expect, it } from "vitest";
import { historyFile } from "../../src/files/history-file.ts";

const folder = mkdtempSync(join(tmpdir(), "equitopo-history-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("is whole after every line; a new life begins on a line of its own", () => {
  const path = join(folder, "peer-3.ndjson");
  const read = () => decodeHistory(readFileSync(path, "utf8")).map(({ kind }) => kind);
  const first = historyFile(join(folder, "peer-%r.ndjson"), 3);
  first.write({ kind: "peer", version: 1, rank: 3, size: 4 });
  expect(read()).toEqual(["peer"]);
  first.close();
  appendFileSync(path, '{"kind":"exch');
  const second = historyFile(path, 3);
  second.write({ kind: "peer", version: 1, rank: 3, size: 4 });
  second.write({ kind: "end" });
  second.close();
  expect(read()).toEqual(["peer", "peer", "end"]);
  expect(statSync(path).mode & 0o077).toBe(0);
});

it("says so where it cannot be written", () => {
  expect(() => historyFile(join(folder, "nowhere", "file"), 0)).toThrow(/the history must be writable \(ENOENT\)/);
});

it.runIf(existsSync("/dev/full"))("on a disk that is full: said in a sentence", () => {
  const full = historyFile("/dev/full", 0);
  expect(() => full.write({ kind: "end" })).toThrow(/the history must be writable \(ENOSPC\), got "\/dev\/full"/);
});
