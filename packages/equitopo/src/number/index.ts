/** Hashes, and numbers that are the same in every engine: the subpath `equitopo/number`. */

export { fromBase64, fromBase64url, toBase64, toBase64url } from "./base64.ts";
export * from "./elementary.ts";
export { sha256 } from "./hash.ts";
export { hmacSha256 } from "./hmac.ts";
export { gcd, mod } from "./integers.ts";
export { quickHash } from "./quick-hash.ts";
