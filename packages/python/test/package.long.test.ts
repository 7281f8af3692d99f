/** The package's types by mypy --strict, and the programs of the pages about it, as they are written. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { equitopo } from "../../cli/test/command.ts";
import { environment, notRun, packageRoot, pythonWith } from "./python.ts";

const folder = mkdtempSync(join(tmpdir(), "equitopo-python-"));
afterAll(() => rmSync(folder, { recursive: true }));

const checker = pythonWith("mypy");
if (checker === undefined) notRun("mypy --strict of the Python package", ["mypy"]);

test.skipIf(checker === undefined)("mypy --strict finds nothing in the part without PyTorch", () => {
  const { status, stdout } = spawnSync(checker!, ["-m", "mypy", "--cache-dir", join(folder, "cache")], {
    ...{ cwd: packageRoot, encoding: "utf8" },
  });
  expect([status, stdout]).toEqual([0, expect.stringContaining("no issues found")]);
});

const page = readFileSync(join(packageRoot, "../../docs/python.md"), "utf8");
const torch = pythonWith("numpy", "torch");
if (torch === undefined) notRun("the training of docs/python.md", ["torch"]);

/** Ranks of this machine. */
const launched = (command: string) =>
  spawnSync(torch!, command.split(" "), {
    ...{ cwd: folder, encoding: "utf8", timeout: 120_000 },
    env: { ...environment, OMP_NUM_THREADS: "1", GLOO_SOCKET_IFNAME: "lo" },
  });

const verdicts = `# verdicts.py
import equitopo, torch
import torch.distributed as dist
from equitopo.torch import OuterStep
dist.init_process_group("gloo")
for name in ("ring", "od-equidyn"):
    model = torch.nn.Linear(2, 1)
    inner = torch.optim.SGD(model.parameters(), lr=0.1)
    try:
        OuterStep(inner, equitopo.load(f"{name}.json"), rule="noloco", momentum=0.9, pull=0.7, every=2)
        said = "accepted"
    except equitopo.InputError as error:
        said = str(error)
    if dist.get_rank() == 0:
        print(name, said)
`;

test.skipIf(torch === undefined)("a rule of local steps is accepted or refused as its plan says", async () => {
  for (const name of ["ring", "od-equidyn"]) {
    const words = `plan ${name} --n 4 --outer noloco --outer-momentum 0.9 --pull 0.7 --out ${join(folder, `${name}.json`)}`;
    expect((await equitopo(words)).status).toBe(0);
  }
  writeFileSync(join(folder, "verdicts.py"), verdicts);
  const { stdout, stderr } = launched("-m equitopo.torch.launch 4 verdicts.py");
  expect([stdout, stderr]).toEqual([
    expect.stringMatching(/^ring accepted\nod-equidyn noloco with these settings must be/),
    "",
  ]);
});

test.skipIf(torch === undefined)("the first training of docs/python.md prints what the page says", () => {
  const program = /^```python\n(# train\.py\n[\s\S]*?)^```$/m.exec(page)?.[1] ?? "";
  const [, command, printed] = /^\$ python3 (-m equitopo\.torch\.launch .*)\n(.*)\n```$/m.exec(page) ?? [];
  writeFileSync(join(folder, "train.py"), program);
  const { status, stdout, stderr } = launched(command);
  expect([status, stdout.trim(), status === 0 ? "" : stderr]).toEqual([0, printed, ""]);
});
