/**
 * Canonical JSON (RFC 8785: members sorted by name, no spaces, numbers as JavaScript writes them), so that programs in other
 * languages hash the same bytes.
 */

import { sha256 } from "../../number/hash.ts";

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part) => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** SHA-256 of a value's canonical JSON, in hexadecimal digits. */
export function canonicalHash(value: unknown): string {
  return sha256(new TextEncoder().encode(canonicalJson(value)));
}
