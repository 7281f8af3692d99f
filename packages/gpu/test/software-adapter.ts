/**
 * A software adapter for tests: SwiftShader, which @sparticuz/chromium ships inside. Unpacked once, beside the packages, and
 * named to the Vulkan loader before the workers of the tests start (the system reads LD_LIBRARY_PATH when a process begins).
 * Where VK_ICD_FILENAMES is set already, the tests run on what it names: a real GPU, for one.
 */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";

const modules = fileURLToPath(new URL("../../../node_modules/", import.meta.url));

export default function setup(): void {
  if (process.env["VK_ICD_FILENAMES"] !== undefined) return;
  try {
    const home = unpacked();
    process.env["VK_ICD_FILENAMES"] = join(home, "vk_swiftshader_icd.json");
    process.env["LD_LIBRARY_PATH"] = [home, process.env["LD_LIBRARY_PATH"]].filter(Boolean).join(":");
  } catch (error) {
    process.stderr.write(`no software adapter: ${(error as Error).message}\n`);
  }
}

function unpacked(): string {
  const cache = join(modules, ".cache");
  const home = join(cache, "swiftshader-147.0.0");
  if (existsSync(home)) return home;
  mkdirSync(cache, { recursive: true });
  const part = mkdtempSync(join(cache, "swiftshader-"));
  const archive = join(part, "swiftshader.tar");
  writeFileSync(
    archive,
    brotliDecompressSync(readFileSync(join(modules, "@sparticuz/chromium/bin/swiftshader.tar.br"))),
  );
  execFileSync("tar", ["xf", archive, "-C", part, "libvk_swiftshader.so", "libvulkan.so.1", "vk_swiftshader_icd.json"]);
  rmSync(archive);
  try {
    renameSync(part, home);
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    if (!existsSync(home)) throw error;
  }
  return home;
}
