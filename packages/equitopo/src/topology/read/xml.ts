/**
 * As much of XML as graph files need: tags, attributes and text, one after another. No document types, so a file cannot
 * define entities that grow while they are read.
 */

import { InputError } from "../../input/input.ts";

export type XmlEvent =
  | { readonly kind: "open"; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: "close"; readonly name: string }
  | { readonly kind: "text"; readonly text: string };

const TAG = /<(\/?)([A-Za-z_][\w.:-]*)((?:\s+[A-Za-z_][\w.:-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const ATTRIBUTE = /([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const named = new Map(Object.entries({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }));

/** The tags and texts of a document; an empty tag is opened and closed. Prefixes of namespaces are cut off. */
export function* readXml(source: string): Generator<XmlEvent> {
  const open: string[] = [];
  let at = 0;
  while (at < source.length) {
    if (source[at] !== "<") {
      const next = source.indexOf("<", at);
      const end = next < 0 ? source.length : next;
      yield { kind: "text", text: plain(source.slice(at, end)) };
      at = end;
    } else if (source.startsWith("<?", at)) at = after(source, "?>", at);
    else if (source.startsWith("<!--", at)) at = after(source, "-->", at);
    else if (source.startsWith("<![CDATA[", at)) {
      const end = after(source, "]]>", at);
      yield { kind: "text", text: source.slice(at + 9, end - 3) };
      at = end;
    } else {
      TAG.lastIndex = at;
      const tag = TAG.exec(source);
      if (tag === null) throw wrong(source, at);
      const [whole, slash, prefixed, attributes, empty] = tag;
      const name = local(prefixed);
      if (slash === "") {
        yield { kind: "open", name, attributes: attributesOf(attributes) };
        open.push(name);
      }
      if (slash !== "" || empty !== "") {
        if (open.pop() !== name) throw wrong(source, at);
        yield { kind: "close", name };
      }
      at += whole.length;
    }
  }
  if (open.length > 0) throw new InputError(`<${open.pop()}> must be closed`, "the end of the file", REMEDY);
}

const REMEDY = "write the file anew";

const local = (name: string) => name.slice(name.indexOf(":") + 1);

function attributesOf(text: string): Map<string, string> {
  return new Map(Array.from(text.matchAll(ATTRIBUTE), ([, name, a, b]) => [local(name), plain(a ?? b)]));
}

/** Behind the next `end`. */
function after(source: string, end: string, from: number): number {
  const found = source.indexOf(end, from);
  if (found < 0) throw wrong(source, from);
  return found + end.length;
}

function plain(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|\w{1,8});/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return named.get(name) ?? whole;
    const code = Number(name[1] === "x" ? `0${name.slice(1)}` : name.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function wrong(source: string, at: number): InputError {
  const line = source.slice(0, at).split("\n").length;
  return new InputError(`line ${line}: the file must be XML, each tag closed`, source.slice(at, at + 30), REMEDY);
}
