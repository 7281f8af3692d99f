/** Every text by name. A new one is one file and one line here, or an `add` in a plug-in. */

import { type NamedBytes, Registry, settle } from "equitopo/internal/input";
import { type Named, named } from "../options.ts";
import { grammar } from "./grammar.ts";
import type { TextContext, TextFamily } from "./member.ts";
import { ownText } from "./own.ts";
import { shakespeare } from "./shakespeare.ts";
import { sotu } from "./sotu.ts";

export const texts = new Registry<TextFamily>("text", [ownText, shakespeare, sotu, grammar] as TextFamily[]);

/** The files of the text that a spec names. */
export function openText(spec: Named, context: TextContext): readonly NamedBytes[] {
  const { name, options } = named("data", spec);
  const member = texts.get(name);
  return member.open(settle(name, member.options, options), context);
}
