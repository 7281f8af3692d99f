/**
 * All that the page shows, as one value, to and from the address: `#view=rounds&topology=od-equidyn,ring&n=300&t=12`. A
 * link reproduces the view. Only what differs from the initial value is written; unknown keys and wild values are passed
 * over. Pure: store.ts ties it to the address.
 */

import { option } from "equitopo/input";
import { adviceFields } from "./advice/fields.ts";
import { curvesFields } from "./curves/fields.ts";
import { faultFields } from "./fault-fields.ts";
import { type Field, type FieldValue, list, of, word } from "./field.ts";
import { learningFields } from "./learning/fields.ts";
import { roundsFields } from "./rounds/fields.ts";
import { runsFields } from "./runs/fields.ts";
import { spectrumFields } from "./spectrum/fields.ts";
import { topologyField } from "./topology-field.ts";

/** The most nodes that the page simulates, and the most topologies that it sets side by side. */
export const MOST_NODES = 10_000;
export const MOST_TOPOLOGIES = 6;

/** What several views share: the network, the numbers on it, and what goes wrong. */
const sharedFields = {
  view: word("rounds", "curves", "learning", "spectrum", "advice", "runs"),
  topology: list(topologyField, [{ name: "od-equidyn" }, { name: "ring" }], MOST_TOPOLOGIES),
  n: of(option.whole(64, 2, MOST_NODES)),
  // The first rounds of this one are neither the best nor the worst.
  seed: of(option.whole(4, 0, 1e9)),
  ...faultFields,
};

/** One line a view: its own entries, whose names begin with the view's where they could be taken for another's. */
export const fields = {
  ...sharedFields,
  ...roundsFields,
  ...curvesFields,
  ...learningFields,
  ...spectrumFields,
  ...adviceFields,
  ...runsFields,
};

export type View = { readonly [K in keyof typeof fields]: FieldValue<(typeof fields)[K]> };

/** A part of the view to be changed. */
export type Change = { readonly [K in keyof View]?: View[K] };

const entries = Object.entries(fields) as [keyof View, Field<unknown>][];

/** What the page shows at an empty address. */
export const initialView = Object.fromEntries(entries.map(([key, field]) => [key, field.initial])) as View;

/** The view that a fragment describes, with or without its #. O(length). */
export function readView(fragment: string): View {
  const given = new Map<string, string>();
  for (const part of fragment.replace(/^#/, "").split("&")) {
    const at = part.indexOf("=");
    const value = at < 1 ? undefined : decoded(part.slice(at + 1));
    if (value !== undefined) given.set(part.slice(0, at), value);
  }
  const read = entries.map(([key, field]) => {
    const text = given.get(key);
    return [key, (text === undefined ? undefined : field.read(text)) ?? field.initial];
  });
  return Object.fromEntries(read) as View;
}

/** The fragment of a view, without a #: empty for the initial view. */
export function writeView(view: View): string {
  return entries
    .flatMap(([key, field]) => {
      const text = field.write(view[key]);
      return text === field.write(field.initial) ? [] : [`${key}=${encoded(text)}`];
    })
    .join("&");
}

/** Percent signs only where a fragment needs them: links are read by people, too. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/%(2C|3B|3D|40|3A|2F)/g, (sign) => decodeURIComponent(sign));
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
