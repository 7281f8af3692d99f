/**
 * The few names beyond the language itself that Node, Bun, Deno and browsers all have and that peers, threads and readers of
 * text use. Declared here, for this package and @equitopo/nn, so that neither Node's types nor the DOM's are there to lean on
 * by accident.
 */

interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(name: "abort", run: () => void, options?: { once?: boolean }): void;
  removeEventListener(name: "abort", run: () => void): void;
}
declare const AbortSignal: { abort(reason?: unknown): AbortSignal };
declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}
declare class URL {
  constructor(path: string, base: string);
  readonly href: string;
}
interface ImportMeta {
  readonly url: string;
}
declare const performance: { now(): number };
declare function setTimeout(run: () => void, milliseconds: number): unknown;
declare function clearTimeout(timer: unknown): void;
/** Not in browsers. */
declare const setImmediate: ((run: () => void) => unknown) | undefined;
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const TextDecoder: new (
  label?: string,
  options?: { fatal: boolean; ignoreBOM?: boolean },
) => { decode(bytes: Uint8Array): string };
