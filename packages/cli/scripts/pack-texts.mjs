/**
 * Copies the guides and the examples of the repository beside the built programs, where `equitopo guide` and `equitopo
 * example` find them and npm packs them. Run by `npm run build`.
 */

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const root = new URL("../../../", import.meta.url);
const dist = new URL("../dist/", import.meta.url);

/** Pages about the repository itself; nobody who installed the package has what they speak of. */
const aboutTheRepository = ["architecture.md", "README.md"];

const remark = `> This page comes with @equitopo/cli. Links to other pages are \`equitopo guide NAME\`; \`npm run\` and paths such as
> packages/, bench/ and docs/results/ are those of the project's repository. Where the package is installed in a folder, a
> command begins with npx: \`npx equitopo guide\`.

`;

const guides = fresh("guide/");
const pages = readdirSync(new URL("docs/", root)).filter((name) => name.endsWith(".md"));
for (const name of pages.filter((page) => !aboutTheRepository.includes(page))) {
  writeFileSync(new URL(name, guides), remark + readFileSync(new URL(`docs/${name}`, root), "utf8"));
}
writeFileSync(new URL("readme.md", guides), remark + readFileSync(new URL("README.md", root), "utf8"));

const examples = fresh("example/");
for (const name of readdirSync(new URL("examples/", root))) {
  cpSync(new URL(`examples/${name}`, root), new URL(name, examples));
}

/** An empty folder of dist: what is no longer in the repository must not be packed. */
function fresh(name) {
  const folder = new URL(name, dist);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}
