/** How much memory a command is about to take: told where it is much, refused where the machine has less. */

import { totalmem } from "node:os";
import { InputError } from "equitopo";
import { showBytes } from "./numbers.ts";
import { note } from "./output.ts";

const WORTH_TELLING = 1e9;

export function sayMemory(bytes: number, options: { readonly quiet?: true }): void {
  requireMemory(bytes, "try a smaller n or --dim, or --float32");
  tellMemory(bytes, options);
}

export function requireMemory(bytes: number, remedy: string): void {
  const there = totalmem();
  if (bytes <= there) return;
  throw new InputError(`the work must fit into this machine's ${showBytes(there)} of memory`, showBytes(bytes), remedy);
}

/** The same where the figure is too rough to refuse anything by it. */
export function tellMemory(bytes: number, options: { readonly quiet?: true }): void {
  if (bytes <= WORTH_TELLING) return;
  const there = totalmem();
  const more = bytes > there ? `, and this machine has ${showBytes(there)}` : "";
  note(`this takes about ${showBytes(bytes)} of memory${more}`, options);
}
