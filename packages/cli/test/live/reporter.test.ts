/** Where the address of a studio comes from. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { addressIn } from "../../src/live/reporter.ts";

const folder = mkdtempSync(join(tmpdir(), "equitopo-address-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("a file's content, and otherwise the word itself, even one that is too long for a file", async () => {
  const file = join(folder, "address.txt");
  writeFileSync(file, "http://127.0.0.1:4263/#token=0\n");
  expect(await addressIn(file, "report")).toBe("http://127.0.0.1:4263/#token=0");
  for (const word of ["http://127.0.0.1:4263/#token=1", folder, "a".repeat(300)]) {
    expect(await addressIn(word, "report")).toBe(word);
  }
});
