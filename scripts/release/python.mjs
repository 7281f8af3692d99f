/** The Python package: wheel and sdist built offline, looked into, and tried in an environment that has nothing else. */

import { execFile, spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The folder of the Python package. */
export const pythonFolder = "packages/python";

/** EQUITOPO_PYTHON, python3 or Debian's own: the first that can do this; undefined where none can. */
export function pythonThat(program) {
  const candidates = [process.env.EQUITOPO_PYTHON, "python3", "/usr/bin/python3"];
  return candidates.find((one) => one !== undefined && spawnSync(one, ["-c", program]).status === 0);
}

/** A version of npm as Python writes it: 0.2.0-beta.1 is 0.2.0b1 (PEP 440). */
export function pythonVersion(version) {
  const [, core, kind, count] = /^(\d+\.\d+\.\d+)(?:-(alpha|beta|rc)\.(\d+))?$/.exec(version) ?? [];
  if (core === undefined) throw new Error(`Python has no version like ${version}: write 0.2.0 or 0.2.0-beta.1`);
  return kind === undefined ? core : `${core}${{ alpha: "a", beta: "b", rc: "rc" }[kind]}${count}`;
}

/** Builds both into a folder, from a copy of the sources without what tests and tools left there. Gives their paths. */
export async function buildPython(python, root, place, version) {
  const source = join(place, "source");
  const leftOver = /(^|[\\/])(__pycache__|\.mypy_cache|dist|node_modules)$/;
  cpSync(join(root, pythonFolder), source, { recursive: true, filter: (path) => !leftOver.test(path) });
  await run(python, ["-m", "build", "-n", "-x", "--outdir", place, source]);
  const stem = `equitopo-${pythonVersion(version)}`;
  return { wheel: join(place, `${stem}-py3-none-any.whl`), sdist: join(place, `${stem}.tar.gz`) };
}

/** What is wrong with wheel and sdist, one line each. */
export async function pythonTroubles(python, { wheel, sdist }) {
  const list =
    "import sys, tarfile, zipfile; [print(n) for n in zipfile.ZipFile(sys.argv[1]).namelist()]; print('--'); \
[print(n) for n in tarfile.open(sys.argv[2]).getnames()]";
  const { stdout } = await run(python, ["-c", list, wheel, sdist]);
  const [inWheel, inSdist] = stdout.split("--\n").map((part) => part.trim().split("\n"));
  const lacks = (names, what) => !names.some((name) => name.endsWith(what));
  return [
    ...["equitopo/__init__.py", "equitopo/py.typed", "/LICENSE"].filter((what) => lacks(inWheel, what)),
    ...["src/equitopo/py.typed", "/LICENSE", "/README.md", "tests/test_pure.py"].filter((what) => lacks(inSdist, what)),
  ]
    .map((what) => `${what} is missing`)
    .concat(
      [...inWheel, ...inSdist]
        .filter((name) => /cache|\.pyc$|node_modules/.test(name))
        .map((name) => `${name} is in it`),
    );
}

/**
 * Installs the wheel into a fresh environment, offline, and asks it for a round that the library knows and for one of a plan.
 * Throws where they differ.
 */
export async function tryPython(python, wheel, folder, { createTopology, planOf }) {
  await run(python, ["-m", "venv", join(folder, "venv")]);
  const own = join(folder, "venv/bin/python");
  await run(own, ["-m", "pip", "install", "--no-index", "--quiet", "--disable-pip-version-check", wheel]);
  const specs = [
    { name: "ou-equidyn", n: 300, construction: "euclid" },
    { name: "torus", n: 16, relabel: true },
  ];
  const [drawn, planned] = specs.map((spec) => createTopology(spec));
  writeFileSync(join(folder, "graph.json"), JSON.stringify(planOf(planned)));
  const program = `import equitopo, json
peers = [equitopo.ou_equidyn(300, construction="euclid").peers(7, 42), equitopo.load("graph.json").peers(7, 5)]
print(json.dumps([equitopo.__file__, peers]))`;
  const environment = { ...process.env, PYTHONPATH: "", PYTHONDONTWRITEBYTECODE: "1" };
  const { stdout } = await run(own, ["-c", program], { cwd: folder, env: environment });
  const [file, answers] = JSON.parse(stdout);
  if (!file.startsWith(folder)) throw new Error(`${basename(wheel)} was to be tried, and ${file} was`);
  const flat = (links) => links.map(({ node, weight }) => [node, weight]);
  const expected = [drawn.peers(7, 42), planned.peers(7, 5)].map(({ self, from, to }) => [self, flat(from), flat(to)]);
  if (JSON.stringify(answers) !== JSON.stringify(expected)) {
    throw new Error(`${JSON.stringify(answers)} is not the library's ${JSON.stringify(expected)}`);
  }
  return `${(readFileSync(wheel).length / 1e3).toFixed(1)} kB, ${answers.length} rounds as in the library`;
}
