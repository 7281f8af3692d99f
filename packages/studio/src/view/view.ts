/**
 * All that the page shows, as one value, to and from the address: `#view=rounds&topology=od-equidyn,ring&n=300&t=12`. A
 * link reproduces the view. Only what differs from the initial value is written; unknown keys and wild values are passed
 * over. Pure: store.ts ties it to the address.
 */

import type { Field, FieldValue } from "./field.ts";
import { fields, MOST_TOPOLOGIES } from "./fields.ts";
import { type Chosen, topologyField } from "./topology-field.ts";

export type View = { readonly [K in keyof typeof fields]: FieldValue<(typeof fields)[K]> };

export type Change = { readonly [K in keyof View]?: View[K] };

/** What entries were called in links of before: those still open. */
const oldNames: Readonly<Record<string, string>> = {
  ...{ algorithm: "method", learningN: "learners", learningNode: "learner", degree: "peers", loss: "lost" },
  ...{ modelBytes: "bytes", heterogeneous: "alike", b: "spread" },
};

const entries = Object.entries(fields) as [keyof View, Field<unknown>][];

/** What the page shows at an empty address. */
export const initialView = Object.fromEntries(entries.map(([key, field]) => [key, field.initial])) as View;

/** The texts of a fragment by their keys. */
function textsOf(fragment: string): Map<string, string> {
  const given = new Map<string, string>();
  for (const part of fragment.replace(/^#/, "").split("&")) {
    const at = part.indexOf("=");
    const value = at < 1 ? undefined : decoded(part.slice(at + 1));
    if (value !== undefined) given.set(part.slice(0, at), value);
  }
  return given;
}

/** The topologies of a fragment for which the page has no room: a link that has them says so. */
export function withoutRoom(fragment: string): Chosen[] {
  const words = textsOf(fragment).get("topology")?.split(",") ?? [];
  return words.flatMap((word) => topologyField.read(word) ?? []).slice(MOST_TOPOLOGIES);
}

/** The view that a fragment describes, with or without its #. O(length). */
export function readView(fragment: string): View {
  const given = textsOf(fragment);
  const read = entries.map(([key, field]) => {
    const text = given.get(key) ?? given.get(oldNames[key]);
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
