/**
 * Two kernels as one dispatch, where neither reads what the other writes: the first workgroups are the one's, the rest the
 * other's. Dispatches wait for each other wherever a buffer is written again, and with few replicas each of them leaves most of
 * a large card empty; side by side they share it. What is computed, and in which order, stays as it was.
 *
 * Both have the same number of threads a workgroup. Workgroup memory is shared between them, array by array of one type.
 */

import { type Binding, eachGroup, type Kernel } from "./program.ts";

const arrayPattern = /^var<workgroup> (\w+): array<(.+), (\d+)>;\n/gm;
const mainPattern =
  /@compute @workgroup_size\((\d+)\)\nfn main\(@builtin\(workgroup_id\) group: vec3u, @builtin\(local_invocation_index\) me: u32\) \{/;

/** A kernel's text, in pieces: what lies in workgroup memory, other functions, and the body of `main`. */
function piecesOf({ label, code }: Kernel) {
  const main = mainPattern.exec(code);
  if (main === null) throw new Error(`${label}: its main has other arguments`);
  const arrays = [...code.matchAll(arrayPattern)].map(([, name, type, length]) => ({ name, type, length: +length }));
  return { threads: +main[1], arrays, code: code.replaceAll(arrayPattern, "") };
}

export const threadsOf = (kernel: Kernel): number => piecesOf(kernel).threads;

/** Whole words that are not members of something. */
const rename = (code: string, names: ReadonlyMap<string, string>) =>
  code.replaceAll(/(?<![.\w])[A-Za-z_]\w*/g, (word) => names.get(word) ?? word);

/** Both kernels' buffers, those that they read both only once, with what each of them calls them. */
function sharedBindings(kernels: readonly Kernel[]) {
  const bindings: Binding[] = [];
  const names = kernels.map(({ bindings: own }) => {
    const called = own.map((binding): [string, string] => {
      const { buffer, type, write = false } = binding;
      const same = bindings.filter((other) => other.buffer === buffer);
      if (write ? same.length > 0 : same.some((other) => other.write)) {
        throw new Error(`${binding.name}: one writes what the other uses`);
      }
      const known = same.find((other) => other.type === type);
      if (known !== undefined) return [binding.name, known.name];
      const name = `buffer${bindings.length}`;
      bindings.push({ ...binding, name });
      return [binding.name, name];
    });
    return new Map(called);
  });
  return { bindings, names };
}

export function sideBySide(label: string, first: Kernel, second: Kernel): Kernel {
  const kernels = [first, second];
  const pieces = kernels.map(piecesOf);
  const [{ threads }] = pieces;
  if (pieces[1].threads !== threads) throw new Error(`${label}: ${threads} threads and ${pieces[1].threads}`);
  const { bindings, names } = sharedBindings(kernels);
  const arrays: { name: string; type: string; length: number }[] = [];
  const codes = pieces.map((piece, k) => {
    const taken = new Set<string>();
    for (const { name, type, length } of piece.arrays) {
      let shared = arrays.find((array) => array.type === type && !taken.has(array.name));
      if (shared === undefined) {
        shared = { name: `memory${arrays.length}`, type, length };
        arrays.push(shared);
      }
      shared.length = Math.max(shared.length, length);
      taken.add(shared.name);
      names[k].set(name, shared.name);
    }
    for (const [, name] of piece.code.matchAll(/^(?:fn|const|alias|struct) (\w+)/gm))
      names[k].set(name, `${name}_${k}`);
    const constants = `at[${k} * 2 + `;
    return rename(piece.code, names[k])
      .replaceAll(/\bat\[/g, constants)
      .replace(/@compute .*\n.*\{/, `fn main_${k}(group: vec3u, me: u32) {`);
  });
  const [a, b] = kernels.map(({ workgroups: [x, y = 1] }) => ({ x, count: x * y }));
  const constants = kernels.flatMap(({ constants: own = [] }) => [...own, ...new Array(8 - own.length).fill(0)]);
  return {
    label,
    ...(first.directives === undefined ? {} : { directives: first.directives }),
    ...{ bindings, constants },
    code: `
${arrays.map(({ name, type, length }) => `var<workgroup> ${name}: array<${type}, ${length}>;\n`).join("")}${codes.join("")}
${eachGroup(threads)}  if (group.x < ${a.count}u) {
    main_0(vec3u(group.x % ${a.x}u, group.x / ${a.x}u, group.z), me);
  } else {
    let rest = group.x - ${a.count}u;
    main_1(vec3u(rest % ${b.x}u, rest / ${b.x}u, group.z), me);
  }
}
`,
    workgroups: [a.count + b.count, 1, first.workgroups[2] ?? 1],
  };
}
