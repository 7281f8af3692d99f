/**
 * Where the page's desks get their workers: from the text of the page's own script, which finds out by itself where it
 * runs (script.ts). A file on a disk has no neighbours that it could be loaded from.
 */

import { type Desk, type Line, openDesk } from "./desk.ts";

let address: string | undefined;

function scriptAddress(): string {
  const text = document.querySelector("script[type=module]")?.textContent ?? "";
  address ??= URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  return address;
}

/** A desk with a worker of its own. */
export const newDesk = (): Desk => openDesk(() => new Worker(scriptAddress()) as unknown as Line);
