// Compiles a folder of AssemblyScript to WebAssembly with SIMD and writes it, as base64, to a module beside, with the types
// of its exports; nothing is done where that module is newer than all its sources.
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const age = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** The kernels that `list` exports: name, parameters, result. A generic one stands for two, of f64 and of f32. */
function kernelsOf(list, read) {
  return [...read(list).matchAll(/^export \{([^}]+)\} from "\.\/([\w-]+)"/gm)].flatMap(([, names, file]) =>
    names.match(/\w+/g).flatMap((name) => {
      const pattern = new RegExp(`^export function ${name}(<T>)?\\(([^)]*)\\): (\\w+)`, "m");
      const [, generic, declared, result] = pattern.exec(read(`${file}.ts`));
      const parameters = declared.match(/\w+: \w+/g);
      const kernel = { name, parameters, result, file };
      return generic
        ? [64, 32].map((bits) => ({ ...kernel, name: `${name}${bits}`, of: `${name}<f${bits}>` }))
        : [kernel];
    }),
  );
}

/** What is compiled: the list, but each instance of a generic kernel is a function. */
function entry(kernels) {
  const lines = kernels.flatMap(({ name, parameters, result, file, of }) => {
    if (of === undefined) return [`export { ${name} } from "./${file}";\n`];
    const values = parameters.map((parameter) => parameter.split(":")[0]).join(", ");
    const body = `return ${of}(${values});`;
    return [
      `import { ${of.split("<")[0]} } from "./${file}";\n`,
      `export function ${name}(${parameters.join(", ")}): ${result} { ${body} }\n`,
    ];
  });
  return [...new Set(lines)].join("");
}

/**
 * `folder` and `file` lie under the package at `root`; the text is exported as `constant`, its kernels as `Exports`. `list` is
 * the file of the folder that exports them.
 */
export async function assemble(root, folder, file, constant, more = [], list = "index.ts") {
  const source = fileURLToPath(new URL(`${folder}/`, root));
  const target = fileURLToPath(new URL(file, root));
  const names = readdirSync(source).filter((name) => name.endsWith(".ts"));
  const newest = Math.max(age(fileURLToPath(import.meta.url)), ...names.map((name) => age(source + name)));
  if (newest < age(target)) return;
  const flags = ["-O3", "--noAssert", "--enable", "simd", "--runtime", "stub", "--importMemory", "--memoryBase", "0"];
  const kernels = kernelsOf(list, (name) => readFileSync(source + name, "utf8"));
  let wasm;
  const { error, stderr } = await asc.main(["index.ts", "--outFile", "kernels.wasm", ...flags, ...more], {
    readFile: (name, base) => {
      if (name === "index.ts") return entry(kernels);
      try {
        return readFileSync(name.startsWith("/") ? name : `${base === "." ? source : base}/${name}`, "utf8");
      } catch {
        return null;
      }
    },
    writeFile: (_name, contents) => {
      wasm = contents;
    },
    listFiles: () => [],
  });
  if (error) {
    console.error(stderr.toString());
    throw error;
  }
  const numbers = (parameters) => parameters.map((parameter) => parameter.replace(/: .*/, ": number")).join(", ");
  const signatures = kernels.map(({ name, parameters, result }) => {
    return `  ${name}(${numbers(parameters)}): ${result === "void" ? "void" : "number"};\n`;
  });
  const lines = `// Written by scripts/build-kernels.mjs from ${folder}: ${wasm.length} bytes of WebAssembly.
export const ${constant} =
  "${Buffer.from(wasm).toString("base64")}";

/** The kernels. Pointers are byte offsets into the instance's memory, flags 0 or 1. */
export interface Exports {
${signatures.join("")}}
`;
  writeFileSync(`${target}.part`, lines);
  renameSync(`${target}.part`, target);
}
