/**
 * `npm run docs`: the guides of docs/ and the API from the doc comments as one static site in docs-site/, which needs no
 * server. A warning (a broken link, a type that stands in a signature but is not exported) fails it.
 */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, posix, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Application, Comment, CommentTag, Converter, JSX, KindRouter, Renderer } from "typedoc";
import { topologyPage } from "./catalogue.mjs";
import { commandPage } from "./commands.mjs";
import { entryPoints } from "./entry-points.mjs";
import { guides } from "./guides.mjs";
import { notExported } from "./not-exported.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const out = process.argv[2] ?? join(root, "docs-site");
const api = "API";
const say = (text) => process.stderr.isTTY && process.stderr.write(`${text}\n`);

/** Pages that are made from registries, and the home page with links to them: they are in no clone. */
const made = join("node_modules", ".cache", "equitopo-docs");
const catalogue = { title: "Catalogue", pages: [`${made}/topologies.md`, `${made}/commands.md`] };
const [start, ...others] = guides;
const groupsOfPages = [start, catalogue, ...others];

const modules = new Map(entryPoints(root).map(([name, file]) => [file, name]));
const pages = groupsOfPages.flatMap(({ title, pages }) => pages.map((file) => ({ file, group: title })));
const slugs = pages.map(({ file }) => slug(file));
const groups = new Map(pages.map(({ file, group }) => [slug(file), group]));
/** By address. */
const titles = new Map();

/** A page's name in the site's addresses. */
function slug(file) {
  return file.replace(/^docs\/|^.*equitopo-docs\/|\.md$/g, "").toLowerCase();
}

async function makePages() {
  const folder = join(root, made);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const docs = relative(folder, join(root, "docs"));
  const link = (page) => `${docs}/${page}`;
  const { text, pictures } = topologyPage(link);
  for (const [name, svg] of pictures) writeFileSync(join(folder, name), svg);
  writeFileSync(join(folder, "topologies.md"), text);
  writeFileSync(join(folder, "commands.md"), await commandPage(link));
  const home = readFileSync(join(root, "docs/README.md"), "utf8")
    .replace("**the topologies**", "[the topologies](topologies.md)")
    .replace("**the commands**", "[the commands](commands.md)")
    .replace(/\]\((?!https?:|#|topologies|commands)/g, `](${docs}/`);
  writeFileSync(join(folder, "home.md"), home);
}

/** What a source file says of itself: the comment that it opens with. */
function opening(file) {
  const [, comment = ""] = /^\/\*\*([\s\S]*?)\*\//.exec(readFileSync(file, "utf8")) ?? [];
  return comment.replace(/^\s*\* ?/gm, "").trim();
}

/** Addresses of guides come from their files and not from their titles, which have question marks and change. */
class GuideRouter extends KindRouter {
  getIdealBaseName(reflection) {
    return reflection.isDocument() ? `guides/${reflection.frontmatter.slug}` : super.getIdealBaseName(reflection);
  }
}

say("making the catalogue ...");
await makePages();
const app = await Application.bootstrap({
  entryPoints: [...modules.keys()],
  tsconfig: join(root, "scripts/docs/tsconfig.json"),
  projectDocuments: pages.map(({ file }) => join(root, file)),
  readme: join(root, made, "home.md"),
  name: "equitopo",
  headings: { readme: false, document: false },
  groupOrder: [...groupsOfPages.map(({ title }) => title), api, "*"],
  sort: ["documents-first", "alphabetical-ignoring-documents"],
  sortEntryPoints: false,
  navigation: { includeGroups: true, compactFolders: false, includeFolders: false, excludeReferences: true },
  searchInDocuments: true,
  highlightLanguages: ["bash", "console", "csv", "javascript", "json", "python", "typescript", "xml", "yaml"],
  customCss: join(root, "scripts/docs/site.css"),
  // A program has been checked by the build; sources have no public address to link to.
  skipErrorChecking: true,
  disableSources: true,
  hideGenerator: true,
  // Its page has no place for interfaces that extend the type of a table, to which every one of them would link.
  includeHierarchySummary: false,
  excludeInternal: true,
  excludePrivate: true,
  treatWarningsAsErrors: true,
  validation: { notExported: true, invalidLink: true, invalidPath: true, rewrittenLink: true },
});

app.renderer.defineRouter("guides", GuideRouter);
app.options.setValue("router", "guides");

app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, page) => {
  page.frontmatter.slug = slug(page.name);
  page.frontmatter.group = groups.get(page.frontmatter.slug);
  const heading = /^# (.+)$/m.exec(page.content[0]?.text ?? "");
  if (heading === null) throw new Error(`${page.name}.md must begin with a heading`);
  page.name = heading[1];
  titles.set(page.frontmatter.slug, page.name);
  // In the search guides come before the names of the interface.
  page.relevanceBoost = 1000;
});

app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
  for (const module of project.children ?? []) {
    const file = project.getSymbolIdFromReflection(module)?.fileName;
    const name = modules.get(file);
    if (name === undefined) throw new Error(`no package exports ${module.name}`);
    module.name = name;
    module.comment ??= new Comment([{ kind: "text", text: opening(file) }]);
    module.comment.blockTags.push(new CommentTag("@group", [{ kind: "text", text: api }]));
  }
});

/** Types that stand in signatures must be exported. typedoc asks that of one package only, so it is asked for each. */
function validate(project) {
  const names = [...modules.values()].map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)[0]);
  for (const name of new Set(names)) {
    project.packageName = name;
    app.options.setValue("intentionallyNotExported", notExported[name] ?? []);
    app.validate(project);
    // All but this one is the same for each.
    app.options.setValue("validation", { notExported: true, invalidLink: false, invalidPath: false });
  }
}

/** The links to the guides before and after one. */
function turns({ frontmatter: { slug: own } }) {
  const at = slugs.indexOf(own);
  const to = (k, words) => {
    if (slugs[k] === undefined) return "<span></span>";
    const address = posix.relative(posix.dirname(`/${own}`), `/${slugs[k]}.html`);
    return `<a rel="${words}" href="${address}"><small>${words === "prev" ? "Previous" : "Next"}</small> ${titles.get(slugs[k])}</a>`;
  };
  return `<nav class="turns" aria-label="Guides">${to(at - 1, "prev")}${to(at + 1, "next")}</nav>`;
}

say("reading the packages' sources ...");
const project = await app.convert();
if (project === undefined) process.exit(1);
validate(project);
let written = 0;
app.renderer.on(Renderer.EVENT_END, () => say(`${written} pages written`));
app.renderer.on("endPage", (page) => {
  // A browser takes no icon out of another file on a disk; icons.js puts all of them into every page anyway.
  page.contents = page.contents?.replace(/href="[^"#]*icons\.svg#/g, 'href="#');
  written += 1;
  if (written % 200 === 0) say(`${written} pages ...`);
});
app.renderer.hooks.on("content.end", ({ page: { model } }) =>
  JSX.createElement(JSX.Raw, { html: model.isDocument?.() ? turns(model) : "" }),
);
rmSync(out, { recursive: true, force: true });
await app.generateDocs(project, out);
if (app.logger.hasErrors() || app.logger.hasWarnings() || app.logger.validationWarningCount > 0) process.exit(1);
console.log(`site: ${join(out, "index.html")}`);
