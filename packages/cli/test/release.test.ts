/** What is published: every package says what it is, and the README's tour is one that a program can take. */

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { inOrder, publicPackages, versionTroubles } from "../../../scripts/release/packages.mjs";
import { pythonVersion } from "../../../scripts/release/python.mjs";
import { tourSteps } from "../../../scripts/release/tour.mjs";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const read = (...path: string[]) => readFileSync(join(root, ...path), "utf8");
const packages = publicPackages(root);

describe("the packages", () => {
  it("are the library, the command and what lies between, each after what it needs", () => {
    const names = packages.map(({ name }) => name);
    expect(names[0]).toBe("equitopo");
    expect(names.at(-1)).toBe("@equitopo/cli");
    expect(names).toHaveLength(10);
    expect(() =>
      inOrder([
        { name: "a", dependencies: { b: "1" } },
        { name: "b", dependencies: { a: "1" } },
      ]),
    ).toThrow("packages need each other: a, b");
  });

  it("have one version, and ask for each other by it", () => {
    expect(versionTroubles(packages)).toEqual([]);
    const wrong = [packages[0], { ...packages[1], version: "9.9.9", dependencies: { equitopo: "^0.1.0" } }];
    expect(versionTroubles(wrong)).toHaveLength(2);
  });

  it("have a version that Python can have, too", () => {
    expect(["0.1.0", "0.2.0-beta.1", "1.0.0-rc.2"].map(pythonVersion)).toEqual(["0.1.0", "0.2.0b1", "1.0.0rc2"]);
    expect(() => pythonVersion("1.0.0-nightly")).toThrow("Python has no version like 1.0.0-nightly");
    expect(pythonVersion(String(packages[0]["version"]))).toMatch(/^\d/);
  });

  it.each(packages.map((one) => [one.name, one] as const))("%s says what it is", (_name, one) => {
    expect(one).toMatchObject({ license: "MIT", type: "module", publishConfig: { access: "public" } });
    expect(one["engines"]).toEqual({ node: ">=20.19" });
    expect(String(one["description"]).length).toBeGreaterThan(40);
    expect((one["keywords"] as string[]).length).toBeGreaterThan(3);
    expect(one["files"]).toEqual(expect.arrayContaining(["README.md", "LICENSE"]));
    expect(read(one.folder, "LICENSE")).toBe(read("LICENSE"));
    const page = read(one.folder, "README.md");
    expect(page.startsWith(`# ${one.name}\n`)).toBe(true);
    expect(page).toContain(`npm install ${one.name}`);
    // The project has no public address: one in these fields would lead nowhere.
    for (const field of ["repository", "homepage", "bugs", "funding"]) expect(one).not.toHaveProperty(field);
  });
});

describe("the tour", () => {
  it("is every line of shell on the page but those for a clone", () => {
    const page = `## A\n\n\`\`\`sh\nnpm install @equitopo/cli  # all\nnpx equitopo list  # names\nnpx equitopo studio\n\`\`\`
\n\`\`\`js\n// a.mjs\nlet a;\n\`\`\`\n## From a clone\n\n\`\`\`sh\nnpm ci\n\`\`\`\n## B\n\n\`\`\`sh\nnpx equitopo train mnist --data DIR\n\`\`\`\n`;
    expect(tourSteps(page)).toEqual([
      { kind: "install", line: "npm install @equitopo/cli" },
      { kind: "run", line: "equitopo list" },
      { kind: "stays", line: "equitopo studio" },
      { kind: "file", name: "a.mjs", text: "// a.mjs\nlet a;\n" },
      { kind: "data", line: "equitopo train mnist --data DIR" },
    ]);
    expect(() => tourSteps("```sh\nnpm start\n```\n")).toThrow("npm install or npx equitopo");
    expect(() => tourSteps("```sh\nnpx equitopo list > a\n```\n")).toThrow("plain words");
  });

  const steps = tourSteps(read("README.md"));
  const lines = steps.flatMap((step) => (step.kind === "file" ? [] : [step.line]));

  it("begins with the installation, and leaves few lines that are not run to their end", () => {
    expect(steps[0]).toEqual({ kind: "install", line: "npm install @equitopo/cli" });
    expect(steps.filter(({ kind }) => kind === "run").length).toBeGreaterThan(15);
    expect(steps.filter(({ kind }) => kind === "data").length).toBeLessThanOrEqual(2);
  });

  it("holds every line of the packages' own READMEs", () => {
    for (const { folder, name } of packages) {
      for (const step of tourSteps(read(folder, "README.md"))) {
        if (step.kind === "file" || step.kind === "install") continue;
        expect(lines, name).toContain(step.line);
      }
    }
  });
});

describe("the workflow", () => {
  it("runs the commands for a clone on every system and Node that packages are for", () => {
    const { strategy, steps } = parse(read(".github/workflows/test.yml")).jobs.commands;
    expect(strategy.matrix).toEqual({
      system: ["ubuntu-latest", "macos-latest", "windows-latest"],
      node: [20, 22, 24],
    });
    const commands = steps.map(({ run }: { run?: string }) => run);
    const [, section] = read("README.md").split("## From a clone\n");
    const [, block] = /```sh\n([\s\S]*?)```/.exec(section) as RegExpExecArray;
    for (const line of block.trim().split("\n")) {
      for (const command of line.replace(/\s+#.*/, "").split(" && ")) expect(commands).toContain(command);
    }
  });

  it("leaves all tests to .ci/run, which installs what they need: one list, and one way to try again", () => {
    const { steps } = parse(read(".github/workflows/test.yml")).jobs.everything;
    const commands: string[] = steps.flatMap(({ run }: { run?: string }) => run ?? []);
    expect(commands.map((command) => command.replace(/^sudo -H env "PATH=\$PATH" /, ""))).toEqual([
      ".ci/run",
      "npm run runtimes",
    ]);
    // Windows has no such bit.
    if (process.platform !== "win32") expect(statSync(join(root, ".ci/run")).mode & 0o111).not.toBe(0);
    expect(read(".ci/run")).toContain("npm run test:all");
    // Where the test of Firefox looks for one, the script does, too.
    for (const place of ["firefox-esr", "/usr/bin/firefox"]) {
      expect(read("packages/studio/test/firefox.long.test.ts")).toContain(place);
      expect(read(".ci/run")).toContain(place);
    }
  });
});
