/** Errors in words for a person: what is wrong, and what to do. */

import { RoomRefused, ServerGone } from "@equitopo/web";
import { InputError } from "equitopo";
import type { Trouble } from "./page-state.ts";

const sentence = (text: string) => (text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`);

export function inTrouble(error: unknown): Trouble {
  if (error instanceof InputError) {
    const { rule, value, remedy } = error;
    return { what: sentence(`${rule}, got ${value}`), remedy: sentence(remedy) };
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof RoomRefused || error instanceof ServerGone) {
    const [what, ...remedies] = message.split("; ");
    return { what: sentence(what), remedy: sentence(remedies.join("; ")) };
  }
  return { what: sentence(`something went wrong: ${message}`), remedy: "Reload the page to come back to your seat." };
}

export const noInvite: Trouble = {
  what: "This page takes a seat in a room, and its address does not say which.",
  remedy: "Open the whole link that equitopo serve printed.",
};
