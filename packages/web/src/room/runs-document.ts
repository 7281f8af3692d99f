/**
 * Runs as a launcher hands them to its peers: expanded and checked once, then plain JSON with a format and a version, so
 * that a peer of another version says so instead of misreading them.
 */

import { InputError, type RunSpec } from "equitopo";

const format = "equitopo runs";
const version = 1;

export function encodeRuns(runs: readonly RunSpec[]): string {
  return JSON.stringify({ format, version, runs });
}

/** The runs in a document; undefined where it is a spec for people. */
export function handedRuns(document: unknown): readonly RunSpec[] | undefined {
  const handed = document as { format?: unknown; version?: unknown; runs?: readonly RunSpec[] } | null;
  if (handed?.format !== format) return undefined;
  if (handed.version === version && handed.runs !== undefined) return handed.runs;
  const age = Number(handed.version) > version ? "a newer" : "an older";
  throw new InputError(
    `handed runs must be of version ${version}, these are of ${age} one`,
    handed.version,
    "use one version of equitopo for the launcher and all peers",
  );
}
