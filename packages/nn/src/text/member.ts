/** What a text of the registry is: the files that it is made of, one after another. */

import type { Files } from "equitopo";
import { type AnyFamily, InputError, type NamedBytes, type Options, type Values } from "equitopo/internal/input";
import type { WantedFiles } from "../data/member.ts";

export interface TextContext {
  readonly files?: Files;
  readonly seed: number;
}

/** A member of the registry of texts: one file each. */
export interface TextFamily<O extends Options = Options> extends AnyFamily {
  readonly options: O;
  /** The files it is read from; left out where it needs none. */
  readonly wanted?: WantedFiles;
  open(options: Values<O>, context: TextContext): readonly NamedBytes[];
}

export const defineText = <O extends Options>(member: TextFamily<O>): TextFamily<O> => member;

/** Refuses files that are not the ones that everybody else has. */
export function requireHash(title: string, found: string, expected: string): void {
  if (found === expected) return;
  throw new InputError(`${title} has the SHA-256 ${expected}`, found, 'fetch it again, or read it as data: "text"');
}

/** One after another. */
export function joinedBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
