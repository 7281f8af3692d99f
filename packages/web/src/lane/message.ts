/**
 * What goes over an introduced link: messages, each with one byte that says what it is.
 *
 *   0 piece    the next bytes of the stream of frames (frame.ts), at most 64 KiB; a small letter whole in one
 *   1 credit   8 bytes, float64: how much the receiver takes on this link in all (credit.ts)
 *   2 text     UTF-8: what members say to each other besides letters, such as signals for third parties
 *   3 bye      this peer leaves; what is still to come from it never comes
 *
 * All but pieces may come between two pieces of one frame: credit must not wait behind what itself waits for credit.
 */

import { pieceBytes } from "../link/link.ts";

export const tags = { piece: 0, credit: 1, text: 2, bye: 3 } as const;

/**
 * The bytes of head and body from `at` on, as far as they fit into one message. It is written into `memory`, where that is
 * given: pieceBytes long, and read before the next call.
 */
export function pieceOf(
  head: Uint8Array,
  body: Uint8Array,
  at: number,
  memory?: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const size = 1 + Math.min(pieceBytes - 1, head.length + body.length - at);
  const piece = memory?.subarray(0, size) ?? new Uint8Array(size);
  piece[0] = tags.piece;
  let filled = 1;
  if (at < head.length) {
    const part = head.subarray(at, at + size - 1);
    piece.set(part, filled);
    filled += part.length;
  }
  const from = Math.max(0, at - head.length);
  piece.set(body.subarray(from, from + size - filled), filled);
  return piece;
}

export function creditMessage(total: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(9);
  bytes[0] = tags.credit;
  new DataView(bytes.buffer).setFloat64(1, total, true);
  return bytes;
}

/** Undefined where it is too long for one message. */
export function textMessage(text: string): Uint8Array<ArrayBuffer> | undefined {
  const encoded = new TextEncoder().encode(text);
  if (encoded.length > pieceBytes - 1) return undefined;
  const bytes = new Uint8Array(1 + encoded.length);
  bytes[0] = tags.text;
  bytes.set(encoded, 1);
  return bytes;
}

export function byeMessage(): Uint8Array<ArrayBuffer> {
  return Uint8Array.of(tags.bye);
}

/** What a message says, or undefined where it is none of ours. */
export function decodeMessage(bytes: Uint8Array) {
  const size = bytes.length - 1;
  if (size < 0 || bytes.length > pieceBytes) return undefined;
  switch (bytes[0]) {
    case tags.piece:
      return size === 0 ? undefined : { tag: "piece" as const, bytes: bytes.subarray(1) };
    case tags.credit: {
      if (size !== 8) return undefined;
      const total = new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getFloat64(1, true);
      return Number.isSafeInteger(total) && total >= 0 ? { tag: "credit" as const, total } : undefined;
    }
    case tags.text:
      try {
        return { tag: "text" as const, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(1)) };
      } catch {
        return undefined;
      }
    case tags.bye:
      return size === 0 ? { tag: "bye" as const } : undefined;
    default:
      return undefined;
  }
}
