/** What an exchange machine is given, and what it takes where that is left out. */

import { defaultTimeout } from "./transport.ts";

export interface ExchangeOptions {
  readonly rank: number;
  readonly size: number;
  /** Milliseconds; default 10 s. */
  readonly timeout?: number;
  /** Rounds ahead of ours that are still believed; further ones are refused. Default 1024. */
  readonly horizon?: number;
  /** Bytes of early letters kept for one peer. Default 64 MiB, and always room for one letter. */
  readonly earlyBytes?: number;
  /** Refuses vectors with a number that is not finite (default): one such vector would spoil every model it is mixed into. */
  readonly strict?: boolean;
}

export type ExchangeSettings = Required<Omit<ExchangeOptions, "rank" | "size">>;

export function settingsOf(options: ExchangeOptions): ExchangeSettings {
  const { timeout = defaultTimeout, horizon = 1024, earlyBytes = 64 * 1024 * 1024, strict = true } = options;
  return { timeout, horizon, earlyBytes, strict };
}
