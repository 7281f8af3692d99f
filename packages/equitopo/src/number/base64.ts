/**
 * Bytes as text (RFC 4648): plain base64 for rows inside JSON, and the variant whose digits are allowed in a link, without
 * padding. Both through the engine's btoa and atob, which browsers and Node have.
 */

declare function btoa(text: string): string;
declare function atob(text: string): string;

/** Characters made in one call: arguments of a function are few. */
const step = 8192;

/**
 * Bytes in base64. O(bytes).
 *
 * @example
 * ```ts
 * import { fromBase64, toBase64 } from "equitopo/number";
 * toBase64(Uint8Array.of(1, 2, 255)) // => "AQL/"
 * fromBase64("AQL/")?.join(" ") // => "1 2 255"
 * ```
 */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += step) text += String.fromCharCode(...bytes.subarray(at, at + step));
  return btoa(text);
}

/** The bytes of a base64 text; undefined where it is none. O(length). */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  let characters: string;
  try {
    characters = atob(text);
  } catch {
    return undefined;
  }
  const bytes = new Uint8Array(characters.length);
  for (let k = 0; k < bytes.length; k++) bytes[k] = characters.charCodeAt(k);
  return bytes;
}

/**
 * Bytes in base64url, for links. O(bytes).
 *
 * @example
 * ```ts
 * import { fromBase64url, toBase64url } from "equitopo/number";
 * toBase64url(Uint8Array.of(251, 255)) // => "-_8"
 * fromBase64url("-_8")?.join(" ") // => "251 255"
 * ```
 */
export function toBase64url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The bytes of a base64url text; undefined where it is none, or another text means the same bytes. O(length). */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return undefined;
  const bytes = fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
  return bytes !== undefined && toBase64url(bytes) === text ? bytes : undefined;
}
