import { readFileSync } from "node:fs";

/** The version of this package, which is the library's too. */
export function packageVersion(): string {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
}
