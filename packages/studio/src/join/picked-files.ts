/** Picked files as a problem sees them: by the name it asks for, in whichever of the picked folders that is. */

import type { Files } from "equitopo";
import type { Picked } from "./picked.ts";

export function pickedFiles(picked: readonly Picked[]): Files {
  const find = (name: string) =>
    picked.find((one) => one.name === name) ?? picked.find((one) => one.name.endsWith(`/${name}`));
  return {
    place: "the files that were picked",
    has: (name) => find(name) !== undefined,
    read: (name) => find(name)?.bytes ?? new Uint8Array(0),
  };
}
