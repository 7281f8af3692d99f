/** Certificates sealed again after a change, so that the numbers alone decide. */

import { createHash } from "node:crypto";

export type Document = Record<string, unknown>;

/** With the checksum of what is in it now. */
export function sealed({ sha256: _before, ...rest }: Document): Document {
  const entries = Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...rest, sha256: createHash("sha256").update(JSON.stringify(entries)).digest("hex") };
}
