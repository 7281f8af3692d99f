/**
 * The few names beyond the language itself that Node, Bun, Deno and browsers all have and that peers use. Declared here so
 * that neither Node's types nor the DOM's are there to lean on by accident.
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
declare const performance: { now(): number };
declare function setInterval(run: () => void, milliseconds: number): number;
declare function clearInterval(timer: number | undefined): void;
declare function setTimeout(run: () => void, milliseconds: number): unknown;
/** Not in browsers. */
declare const setImmediate: ((run: () => void) => unknown) | undefined;
