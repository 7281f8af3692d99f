/** What is published: every workspace that is not private, each after those it depends on. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The public packages of the workspace at `root`: folder, name, version, what they depend on. */
export function publicPackages(root) {
  const read = (folder) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  const all = read("").workspaces.map((folder) => ({ folder, ...read(folder) }));
  return inOrder(all.filter((one) => one.private !== true));
}

/** Sorted so that a package comes after those it needs; a circle is an error. */
export function inOrder(packages) {
  const left = new Map(packages.map((one) => [one.name, one]));
  const sorted = [];
  while (left.size > 0) {
    const next = [...left.values()].find((one) => needs(one).every((name) => !left.has(name)));
    if (next === undefined) throw new Error(`packages need each other: ${[...left.keys()].join(", ")}`);
    sorted.push(next);
    left.delete(next.name);
  }
  return sorted;
}

function needs(one) {
  return Object.keys({ ...one.dependencies, ...one.optionalDependencies });
}

/** What is wrong with the versions: all are one, and packages ask for each other by exactly that one. */
export function versionTroubles(packages) {
  const [{ version }] = packages;
  const names = new Set(packages.map(({ name }) => name));
  return packages.flatMap((one) => [
    ...(one.version === version ? [] : [`${one.name} is ${one.version}, not ${version}`]),
    ...Object.entries({ ...one.dependencies, ...one.optionalDependencies })
      .filter(([name, asked]) => names.has(name) && asked !== version)
      .map(([name, asked]) => `${one.name} asks for ${name} ${asked}, not ${version}`),
  ]);
}
