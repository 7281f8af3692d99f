/** A strict little reader of XML, enough to hold SVG and the report to being well-formed. */

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

const names: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

function plainText(text: string): string {
  if (/[<>]|&(?!(amp|lt|gt|quot|#39);)/.test(text)) throw new Error(`unescaped: ${text.slice(0, 80)}`);
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => names[name]);
}

/** The root element, or an error at the first thing that is not well-formed. */
export function parseXml(source: string): Element {
  const root: Element = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  let rest = source.replace(/^<!DOCTYPE html>/, "");
  while (rest !== "") {
    const here = open[open.length - 1];
    const plain = /^[^<]+/.exec(rest)?.[0];
    const cdata = /^<!\[CDATA\[([\s\S]*?)\]\]>/.exec(rest);
    const tag = /^<(\/?)([a-zA-Z0-9]+)((?:\s+[a-zA-Z:-]+="[^"<]*")*)\s*(\/?)>/.exec(rest);
    if (plain !== undefined) here.text += plainText(plain);
    else if (cdata) here.text += cdata[1];
    else if (!tag) throw new Error(`no tag: ${rest.slice(0, 80)}`);
    else if (tag[1] === "/") {
      if (open.pop()?.name !== tag[2]) throw new Error(`</${tag[2]}> closes <${here.name}>`);
    } else {
      const pairs = [...tag[3].matchAll(/([a-zA-Z:-]+)="([^"]*)"/g)].map(([, name, value]) => [name, plainText(value)]);
      if (new Set(pairs.map(([name]) => name)).size < pairs.length) throw new Error(`attribute twice: ${tag[0]}`);
      const element = { name: tag[2], attributes: Object.fromEntries(pairs), children: [], text: "" };
      here.children.push(element);
      if (tag[4] === "") open.push(element);
    }
    rest = rest.slice((plain ?? cdata?.[0] ?? tag?.[0] ?? "").length);
  }
  if (open.length !== 1 || root.children.length !== 1) throw new Error("not one closed root");
  return root.children[0];
}

/** All elements under `element` (itself included) for which `test` holds. */
export function all(element: Element, test: (one: Element) => boolean): Element[] {
  return [...(test(element) ? [element] : []), ...element.children.flatMap((child) => all(child, test))];
}

export const byClass = (name: string) => (one: Element) => (one.attributes["class"] ?? "").split(" ").includes(name);

/** The words of an element and of all inside it. */
export function words(element: Element): string {
  return element.text + element.children.map(words).join("");
}
