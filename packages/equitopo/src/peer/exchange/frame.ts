/**
 * A message on a stream of bytes: a header of 48 bytes, then the payload, then (sealed frames) a 16-byte tag.
 * Little-endian:
 *
 *    0  magic "EQTP"      4  version  5  kind  6  element type  7  guard of the payload
 *    8  first 8 bytes of the spec's hash
 *   16  round (53 bits)  24  sender  28  sequence
 *   32  payload bytes    36  CRC-32 of the payload, where that is its guard
 *   40  0                44  CRC-32 of the 44 bytes before
 *
 * Kinds are a vector, the votes yes and no, the notice of a repair (its number is the sequence), and the beat: a frame without a
 * payload that says only that its sender is there, and at which round (lanes whose connections can fall silent without being
 * closed).
 *
 * The guard is a CRC, a seal (AES-GCM under the key that both ends have proved to know, hello.ts), or none. There is none
 * between two programs of one machine, since bytes that never leave its memory cannot be garbled and a CRC at both ends would
 * cost as much as the copying; nor on connections that protect every byte themselves.
 *
 * Pure: bytes in, frames or a refusal out. A reader trusts nothing: it never holds more than one frame of at most `maxBytes`,
 * and after the first refusal it accepts nothing more.
 */

import { crc32 } from "../../number/crc32.ts";
import type { Kind } from "./lane.ts";
import { allocate, type ElementType, elementBytes, type Vector } from "./transport.ts";

export const headerBytes = 48;
export const tagBytes = 16;
export const frameVersion = 3;
const magic = 0x50545145;
const kinds: readonly (Kind | "beat" | undefined)[] = [undefined, "vector", "yes", "no", "beat", "repair"];
const types: readonly (ElementType | undefined)[] = [undefined, "float32", "float64", "uint8"];

export type Guard = "crc" | "seal" | "none";
const guards: readonly Guard[] = ["crc", "seal", "none"];

export interface Header {
  readonly kind: Kind;
  /** Undefined for all but vectors: the others carry nothing. */
  readonly type: ElementType | undefined;
  readonly guard: Guard;
  readonly round: number;
  readonly sender: number;
  readonly sequence: number;
  readonly bytes: number;
  readonly checksum: number;
}

/** Why bytes were refused: a word to count by. */
export type Refusal = "garbage" | "version" | "spec" | "oversize" | "checksum" | "sender" | "seal";

export class FrameError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(`refused: ${refusal}`);
    this.name = "FrameError";
    this.refusal = refusal;
  }
}

export function bytesOf(data: Vector): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** What a header holds, beats included. */
type Head = Omit<Header, "kind"> & { readonly kind: Kind | "beat" };

/** One header, as words and as bytes: memory made for each would cost more than all that is done with it. */
const words = new Uint32Array(headerBytes / 4);
const header = new Uint8Array(words.buffer);
const covered = header.subarray(0, 44);

/** Writes the header into the first 48 bytes of `into` and answers with it; `spec` is the spec's hash. */
export function encodeHeader<T extends Uint8Array>(head: Head, spec: Uint8Array, into: T): T;
export function encodeHeader(head: Head, spec: Uint8Array): Uint8Array;
export function encodeHeader(head: Head, spec: Uint8Array, into = new Uint8Array(headerBytes)): Uint8Array {
  const { round, sender, sequence, bytes, checksum } = head;
  words[0] = magic;
  header[4] = frameVersion;
  header[5] = kinds.indexOf(head.kind);
  header[6] = types.indexOf(head.type);
  header[7] = guards.indexOf(head.guard);
  for (let k = 0; k < 8; k++) header[8 + k] = spec[k];
  words[4] = round;
  words[5] = Math.floor(round / 2 ** 32);
  words[6] = sender;
  words[7] = sequence;
  words[8] = bytes;
  words[9] = checksum;
  words[10] = 0;
  words[11] = crc32(covered);
  into.set(header);
  return into;
}

/** The header of a beat, which has no payload; a sealed one is followed by its tag. */
export function encodeBeat(beat: Pick<Header, "guard" | "round" | "sender">, spec: Uint8Array): Uint8Array {
  return encodeHeader({ ...beat, kind: "beat", type: undefined, sequence: 0, bytes: 0, checksum: 0 }, spec);
}

/** The header in the first 48 bytes, or why it is refused: it must be exactly what encodeHeader writes. */
export function decodeHeader(bytes: Uint8Array, spec: Uint8Array, maxBytes: number): Header | Refusal {
  const head = decode(bytes, spec, maxBytes);
  return typeof head === "string" || isLetter(head) ? head : "garbage";
}

function isLetter(head: Head): head is Header {
  return head.kind !== "beat";
}

function decode(bytes: Uint8Array, spec: Uint8Array, maxBytes: number): Head | Refusal {
  if (bytes.length < headerBytes) return "garbage";
  header.set(bytes.length > headerBytes ? bytes.subarray(0, headerBytes) : bytes);
  if (words[0] !== magic) return "garbage";
  if (header[4] !== frameVersion) return "version";
  if (words[11] !== crc32(covered)) return "checksum";
  for (let k = 0; k < 8; k++) if (header[8 + k] !== spec[k]) return "spec";
  const [kind, type, guard] = [kinds[header[5]], types[header[6]], guards[header[7]]];
  const [round, sender, sequence] = [words[5] * 2 ** 32 + words[4], words[6], words[7]];
  const [length, checksum, zero] = [words[8], words[9], words[10]];
  const empty = header[6] === 0 && length === 0;
  const sound = kind === "vector" ? type !== undefined && length % elementBytes[type] === 0 : empty;
  const known = round <= Number.MAX_SAFE_INTEGER && zero === 0;
  if (kind === undefined || guard === undefined || !sound || !known) return "garbage";
  if (length > maxBytes) return "oversize";
  return { kind, type, guard, round, sender, sequence, bytes: length, checksum };
}

export interface ReaderOptions {
  /** The spec's hash: frames of another spec are refused. */
  readonly spec: Uint8Array;
  readonly maxBytes: number;
  /** Which peer is at the other end, if that is known: no other may be named as sender. */
  readonly sender?: number;
  /** Undoes the seal: answers with the payload, or undefined where it is broken. Without it sealed frames are refused. */
  readonly open?: (header: Uint8Array, payload: Uint8Array, tag: Uint8Array) => Uint8Array | undefined;
  /** Whether frames without a guard are taken. */
  readonly local?: boolean;
  /** Memory for a vector; new where it is left out. */
  readonly memory?: (type: ElementType, length: number) => Vector;
  readonly onFrame: (header: Header, data: Vector | undefined) => void;
  /** The sender is there, and at that round. Without it beats are refused. */
  readonly onBeat?: (round: number) => void;
}

/**
 * Reads frames from a stream in pieces of any size. Either push(chunk); or read bytes into space() and say advance(how
 * many): the rest of a payload then lands in its vector, and memory for the next is taken only when its turn to be read has come.
 */
export class FrameReader {
  readonly #options: ReaderOptions;
  readonly #staging: Uint8Array;
  readonly #head = new Uint8Array(headerBytes);
  #filled = 0;
  #header: Head | undefined;
  #vector: Vector | undefined;
  #body: Uint8Array = new Uint8Array(0);
  /** Whether the last space() was the rest of the body. */
  #direct = false;
  #refused = false;

  constructor(options: ReaderOptions, staging: Uint8Array = new Uint8Array(65536)) {
    this.#options = options;
    this.#staging = staging;
  }

  /** Where the next bytes may be read into. */
  space(): Uint8Array {
    this.#direct = this.#header !== undefined;
    return this.#direct ? this.#body.subarray(this.#filled) : this.#staging;
  }

  /** The first `count` bytes of the last space() have been filled. Throws FrameError on the first wrong byte. */
  advance(count: number): void {
    if (!this.#direct) {
      this.push(this.#staging.subarray(0, count));
      return;
    }
    this.#filled += count;
    if (this.#filled === this.#body.length) this.#finish();
  }

  push(chunk: Uint8Array): void {
    if (this.#refused) return;
    let at = 0;
    while (at < chunk.length) {
      const target = this.#header === undefined ? this.#head : this.#body;
      const take = Math.min(target.length - this.#filled, chunk.length - at);
      target.set(take === chunk.length ? chunk : chunk.subarray(at, at + take), this.#filled);
      this.#filled += take;
      at += take;
      if (this.#filled < target.length) return;
      if (this.#header === undefined) this.#begin();
      else this.#finish();
    }
  }

  #begin(): void {
    const { spec, maxBytes, sender, open, local = false, memory = allocate, onBeat } = this.#options;
    const header = decode(this.#head, spec, maxBytes);
    if (typeof header === "string") this.#refuse(header);
    if (onBeat === undefined && !isLetter(header)) this.#refuse("garbage");
    if (sender !== undefined && header.sender !== sender) this.#refuse("sender");
    const sealed = header.guard === "seal";
    if (sealed !== (open !== undefined) || (header.guard === "none" && !local)) this.#refuse("seal");
    this.#header = header;
    this.#filled = 0;
    if (sealed) this.#body = new Uint8Array(header.bytes + tagBytes);
    else if (header.type !== undefined) {
      this.#vector = memory(header.type, header.bytes / elementBytes[header.type]);
      this.#body = bytesOf(this.#vector);
    } else this.#body = new Uint8Array(0);
    if (this.#body.length === 0) this.#finish();
  }

  #finish(): void {
    const header = this.#header as Head;
    let vector = this.#vector;
    if (header.guard === "seal") {
      const payload = this.#body.subarray(0, header.bytes);
      const plain = this.#options.open?.(this.#head, payload, this.#body.subarray(header.bytes));
      if (plain === undefined) this.#refuse("seal");
      if (header.type !== undefined) {
        vector = (this.#options.memory ?? allocate)(header.type, header.bytes / elementBytes[header.type]);
        bytesOf(vector).set(plain);
      }
    } else if (header.guard === "crc" && crc32(this.#body) !== header.checksum) this.#refuse("checksum");
    this.#header = undefined;
    this.#vector = undefined;
    this.#filled = 0;
    if (isLetter(header)) this.#options.onFrame(header, vector);
    else this.#options.onBeat?.(header.round);
  }

  #refuse(refusal: Refusal): never {
    this.#refused = true;
    this.#body = new Uint8Array(0);
    throw new FrameError(refusal);
  }
}
