/**
 * JSON that also holds NaN, infinities, minus zero, and arrays of floats (as base64 of their bytes). A value is restored bit
 * for bit.
 *
 *     NaN -> {"$":"NaN"}      -0 -> {"$":"-0"}      Float64Array -> {"$":"float64","bytes":"..."}
 */

import { InputError } from "../input/input.ts";
import { fromBase64, toBase64 } from "../number/base64.ts";

const tag = "$";

/** The value in a form for JSON.stringify; `where` names the value in an error. O(size). */
export function toExactJson(value: unknown, where: string): unknown {
  if (Object.is(value, -0)) return { [tag]: "-0" };
  if (typeof value === "number") return Number.isFinite(value) ? value : { [tag]: String(value) };
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (value instanceof Float64Array || value instanceof Float32Array) {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    return { [tag]: value instanceof Float64Array ? "float64" : "float32", bytes: toBase64(bytes) };
  }
  if (Array.isArray(value)) return Array.from(value, (item, i) => toExactJson(item, `${where}[${i}]`));
  if (typeof value === "object" && [Object.prototype, null].includes(Object.getPrototypeOf(value)) && !(tag in value)) {
    const kept = Object.entries(value).filter(([, item]) => item !== undefined);
    return Object.fromEntries(kept.map(([name, item]) => [name, toExactJson(item, `${where}.${name}`)]));
  }
  const rule = `${where} must be made of numbers, strings, booleans, null, plain objects, arrays and float arrays`;
  throw new InputError(rule, typeof value === "object" ? value.constructor?.name : typeof value, "convert it first");
}

/**
 * The value that was given to `toExactJson`, from the output of JSON.parse. O(size).
 *
 * @example
 * ```ts
 * import { fromExactJson, toExactJson } from "equitopo/run";
 * const text = JSON.stringify(toExactJson({ loss: [1, Number.NaN, -0] }, "curves"));
 * text // => '{"loss":[1,{"$":"NaN"},{"$":"-0"}]}'
 * fromExactJson(JSON.parse(text)) // => { loss: [1, Number.NaN, -0] }
 * ```
 */
export function fromExactJson(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(fromExactJson);
  const kind = (value as Record<string, unknown>)[tag];
  if (kind === "float64" || kind === "float32") {
    const { bytes } = value as { bytes?: unknown };
    const decoded = fromBase64(String(bytes));
    if (decoded === undefined) {
      throw new InputError("an array of floats must be written in base64", bytes, "copy it again from its source");
    }
    return new (kind === "float64" ? Float64Array : Float32Array)(decoded.buffer);
  }
  if (kind !== undefined) return Number(kind);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fromExactJson(item)]));
}
