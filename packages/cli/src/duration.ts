/** How long work will take, told before it begins where that is more than a few seconds and somebody looks on. */

import { note } from "./output.ts";

const WORTH_TELLING = 5;

/**
 * "about 40 s", "about 12 min": whoever foresees is right to a factor of two or so. Foreseeing is work itself, and not done
 * where nobody would be told.
 */
export function sayTime(foresee: () => number, options: { readonly quiet?: true }, isTTY = process.stderr.isTTY): void {
  if (!isTTY || options.quiet) return;
  const seconds = foresee();
  if (seconds > WORTH_TELLING) note(`this takes about ${showDuration(seconds)}`, options);
}

/** Rounded as a person would. */
export function showDuration(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  if (seconds < 6000) return `${Math.round(seconds / 60)} min`;
  const hours = seconds / 3600;
  return hours < 48 ? `${Math.round(hours)} h` : `${Math.round(hours / 24).toLocaleString("en-GB")} days`;
}
