/**
 * Text as tokens: its bytes, or its characters by a table of those that occur, in the order of Unicode. The last tenth of
 * the bytes (from the first character there on) is for validation, the rest for training.
 */

import { InputError, type NamedBytes } from "equitopo/internal/input";
import { joinedBytes } from "./member.ts";

/** What tokens are; `characters` has the table, in order. */
export type Alphabet = { readonly tokens: "bytes" } | { readonly tokens: "characters"; readonly characters: string };

export type Tokens = Uint8Array | Uint32Array;

export interface TokenizedText {
  readonly alphabet: Alphabet;
  readonly vocabulary: number;
  readonly train: Tokens;
  readonly validation: Tokens;
  /** Bytes a token in the validation text, on average over all that are predicted: all but the first. */
  readonly bytesPerToken: number;
  /** Where files begin in the training text, and where it ends. */
  readonly files: readonly number[];
}

/**
 * @example
 * ```ts
 * import { tokenized } from "@equitopo/nn";
 * const bytes = new TextEncoder().encode("to be or not to be: ten words at most.");
 * const { vocabulary, train, validation } = tokenized([{ name: "one", bytes }], "characters");
 * [vocabulary, train.length, validation.length] // => [14, 34, 4]
 * ```
 */
export function tokenized(files: readonly NamedBytes[], tokens: Alphabet["tokens"]): TokenizedText {
  const sizes = files.map(({ bytes }) => bytes.length);
  const total = sizes.reduce((a, b) => a + b, 0);
  const cut = Math.floor(0.9 * total);
  if (tokens === "bytes") {
    const all = joinedBytes(files.map(({ bytes }) => bytes));
    const [train, validation] = [all.subarray(0, cut), all.subarray(cut)];
    return { alphabet: { tokens }, vocabulary: 256, train, validation, bytesPerToken: 1, files: starts(sizes, cut) };
  }
  const lists = files.map(({ name, bytes }) => Array.from(decoded(name, bytes)));
  const all = lists.flat();
  const table = [...new Set(all)].sort((a, b) => codePoint(a) - codePoint(b));
  const places = new Map(table.map((character, k) => [character, k]));
  let [first, byte] = [0, 0];
  while (byte < cut) byte += bytesOf(all[first++]);
  const numbers = all.map((character) => places.get(character) as number);
  const stored = (list: readonly number[]) => (table.length <= 256 ? Uint8Array.from(list) : Uint32Array.from(list));
  const predicted = total - byte - (first < all.length ? bytesOf(all[first]) : 0);
  return {
    alphabet: { tokens, characters: table.join("") },
    vocabulary: table.length,
    train: stored(numbers.slice(0, first)),
    validation: stored(numbers.slice(first)),
    bytesPerToken: predicted / (all.length - first - 1),
    files: starts(
      lists.map(({ length }) => length),
      first,
    ),
  };
}

const codePoint = (character: string) => character.codePointAt(0) as number;

/** Of a character in UTF-8. */
function bytesOf(character: string): number {
  const code = codePoint(character);
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

/** Where files of these sizes begin before `end`, and the end. */
function starts(sizes: readonly number[], end: number): number[] {
  const edges: number[] = [];
  let at = 0;
  for (const size of sizes) {
    if (at < end && size > 0) edges.push(at);
    at += size;
  }
  return [...edges, end];
}

function decoded(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new InputError("a text of characters is UTF-8", name, "try tokens: bytes");
  }
}

/** A text as the tokens of an alphabet; refuses characters that it does not have. */
export function encodeText(alphabet: Alphabet, text: string): number[] {
  if (alphabet.tokens === "bytes") return [...new TextEncoder().encode(text)];
  const table = Array.from(alphabet.characters);
  return Array.from(text, (character) => {
    const token = table.indexOf(character);
    if (token >= 0) return token;
    throw new InputError("the model knows the characters of its text alone", character, "leave it out of the prompt");
  });
}

/** The text of some tokens; bytes that are no UTF-8 show as U+FFFD. */
export function decodeTokens(alphabet: Alphabet, tokens: readonly number[]): string {
  if (alphabet.tokens === "bytes") return new TextDecoder().decode(Uint8Array.from(tokens));
  const table = Array.from(alphabet.characters);
  return tokens.map((token) => table[token]).join("");
}

export const vocabularyOf = (alphabet: Alphabet): number =>
  alphabet.tokens === "bytes" ? 256 : Array.from(alphabet.characters).length;
