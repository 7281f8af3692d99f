/** Errors as a person is told them. */

import type { Refusal } from "@equitopo/web";
import { InputError } from "equitopo";
import type { Trouble } from "./shown.ts";

export function inTrouble(error: unknown): Trouble {
  if (error instanceof InputError) {
    const { rule, value, remedy } = error;
    return { what: sentence(`${rule}, got ${value}`), remedy: sentence(remedy) };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { what: `Something went wrong: ${message}.`, remedy: "Reload the page to come back to your seat." };
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** Why there is no seat. */
export const refusals: Readonly<Record<Refusal, Trouble>> = {
  key: {
    what: "This link does not open the room.",
    remedy: "Copy the whole link, to its last letter, or ask for a new one.",
  },
  full: { what: "All seats are taken.", remedy: "Wait until somebody leaves, then reload the page." },
  taken: { what: "Your seat was given to somebody else.", remedy: "Reload the page for another one." },
  replaced: { what: "This seat is open in another tab.", remedy: "Go on there; close this one." },
  version: {
    what: "This page and the server are of different versions.",
    remedy: "Reload the page without the browser's cache.",
  },
  malformed: { what: "The server did not understand this page.", remedy: "Reload the page." },
  crowd: { what: "Too many connections come from your address.", remedy: "Close other tabs of this room." },
  over: { what: "This run is over.", remedy: "Ask for a link to the next one." },
};

export const noServer: Trouble = {
  what: "There is no server at this address, or it does not answer.",
  remedy: "Check that equitopo serve still runs, and that you are on its network; then reload the page.",
};

export const noInvite: Trouble = {
  what: "This page is for a link with an invitation, which this one lacks.",
  remedy: "Open the whole link that equitopo serve printed.",
};
