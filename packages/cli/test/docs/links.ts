/** Finds links that lead nowhere: in Markdown as a code host shows it, and in the pages of a built site. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/** Every Markdown file of the repository: at its root, under docs/ and at the top of each package. */
export function markdownFiles(root: string): string[] {
  const packages = readdirSync(join(root, "packages")).map((name) => `packages/${name}`);
  const tops = [".", "experiments", "examples", "bench", ...packages].flatMap((folder) =>
    readdirSync(join(root, folder)).flatMap((name) => (name.endsWith(".md") ? [join(root, folder, name)] : [])),
  );
  return [...tops, ...filesUnder(join(root, "docs"), ".md")];
}

export function filesUnder(folder: string, ending: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

interface Page {
  readonly links: readonly string[];
  readonly anchors: ReadonlySet<string>;
}

/** The links and anchors of a Markdown text; what stands in code is no link. */
export function readMarkdown(text: string): Page {
  const prose = text.replace(/^( *)(```|~~~)[\s\S]*?^\1\2/gm, "").replace(/`[^`\n]*`/g, "`");
  const links = [
    ...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g),
    ...prose.matchAll(/^\[[^\]]+\]:\s+(\S+)/gm),
    ...prose.matchAll(/\b(?:href|src)="([^"]+)"/g),
  ].map(([, target]) => target);
  const anchors = new Set<string>();
  const headings = text.replace(/^( *)(```|~~~)[\s\S]*?^\1\2/gm, "").matchAll(/^#{1,6} +(.+?) *#*$/gm);
  for (const [, heading] of headings) {
    const slug = headingSlug(heading);
    let [unique, count] = [slug, 0];
    while (anchors.has(unique)) unique = `${slug}-${++count}`;
    anchors.add(unique);
  }
  for (const [, id] of text.matchAll(/\bid="([^"]+)"/g)) anchors.add(id);
  return { links, anchors };
}

/** The anchor that code hosts give a heading. */
function headingSlug(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

/** What a page links to and loads; an icon (`use`) is put into it by a script. */
export function readHtml(text: string): Page {
  const links = [...text.matchAll(/<(?!use\b)[^>]*?\s(?:href|src)="([^"]*)"/g)].map(([, target]) => plain(target));
  return { links, anchors: new Set([...text.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => plain(id))) };
}

const plain = (text: string) =>
  text.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_, name) => ({ amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" })[name as string] ?? "",
  );

/** `file: link` for each link of these files that leads nowhere. Addresses of the web are not asked for. */
export function brokenLinks(files: readonly string[], read: (text: string) => Page, root: string): string[] {
  const pages = new Map<string, Page>();
  const page = (file: string) => {
    let found = pages.get(file);
    if (found === undefined) {
      found = read(readFileSync(file, "utf8"));
      pages.set(file, found);
    }
    return found;
  };
  const ending = files[0]?.split(".").pop() ?? "";
  return files.flatMap((file) =>
    page(file)
      .links.filter((link) => !/^(https?:|mailto:|data:|javascript:)/.test(link))
      .filter((link) => {
        const [path, anchor] = link.split("#").map(decodeURIComponent);
        const target = path === "" ? file : resolve(dirname(file), path.replace(/\?.*/, ""));
        if (relative(root, target).startsWith("..") || !existsSync(target)) return true;
        if (anchor === undefined || anchor === "" || !target.endsWith(`.${ending}`)) return false;
        return !page(target).anchors.has(anchor);
      })
      .map((link) => `${relative(root, file)}: ${link}`),
  );
}
