/**
 * Plug-ins of the command line: files whose members are in the registries from then on (docs/plugins.md). A plug-in is
 * identified by the SHA-256 of its bytes, which is part of every run that it is loaded for. Threads that this
 * process starts load the same files.
 */

import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { getEnvironmentData, setEnvironmentData } from "node:worker_threads";
import * as equitopo from "equitopo";
import { InputError } from "equitopo";
import { addPlugin, inside } from "equitopo/input";
import { sha256 } from "equitopo/number";
import type { PluginEntry } from "equitopo/run";
import { readNamed } from "./input/file.ts";
import { loaded, plugins } from "./input/plugins.ts";

/** What threads of this process look up. */
const key = "equitopo plug-ins";

/** Loads a file once; `hash`, where it is given, must be that of its bytes. */
export async function loadPlugin(path: string, hash?: string): Promise<void> {
  const file = resolve(path);
  const found = loaded.get(file)?.sha256 ?? sha256(readNamed(file, "a plug-in must be a file that can be read"));
  if (hash !== undefined && hash !== found) {
    const rule = `${path} must be the plug-in of SHA-256 ${hash}`;
    throw new InputError(rule, found, "get the same file as everybody else");
  }
  if (loaded.has(file)) return;
  const { default: plugin } = await imported(file);
  // What it is given: the library, and under their names the packages beside it.
  const beside = {
    nn: await import("@equitopo/nn/internal"),
    node: await import("@equitopo/node/internal"),
    peer: await import("equitopo/internal/peer"),
  };
  const library = { ...equitopo, ...beside };
  // Loaded only for plug-ins: most commands need neither networks nor peers.
  const { registries } = await import("./registries.ts");
  inside(path, () => addPlugin(plugin, registries, library));
  loaded.set(file, { file, sha256: found });
  setEnvironmentData(key, [...loaded.keys()]);
}

async function imported(file: string): Promise<{ readonly default?: unknown }> {
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    const { message } = error as Error;
    throw new InputError(`${file} must be a module that can be imported`, message, "see equitopo guide plugins");
  }
}

/** Loads the plug-ins named by --plugin among the words of a command line: their members make options, and must come first. */
export async function loadGivenPlugins(words: readonly string[]): Promise<void> {
  for (const [k, word] of words.entries()) {
    if (word === "--plugin" && words[k + 1] !== undefined) await loadPlugin(words[k + 1]);
    if (word.startsWith("--plugin=")) await loadPlugin(word.slice("--plugin=".length));
  }
}

/** In a thread: what the process that started it has. */
export async function loadInheritedPlugins(): Promise<void> {
  for (const file of (getEnvironmentData(key) ?? []) as unknown as readonly string[]) await loadPlugin(file);
}

/** The plug-ins of a spec, paths counting from its folder; the same list, all that are loaded written out with their hashes. */
export async function loadSpecPlugins(list: unknown, spec: string): Promise<readonly PluginEntry[]> {
  if (list !== undefined && !Array.isArray(list)) {
    throw new InputError("plugins must be a list of files", list, 'try ["./mine.mjs"]');
  }
  for (const entry of (list ?? []) as readonly unknown[]) {
    const given = typeof entry === "string" ? { file: entry } : ((entry ?? {}) as Partial<PluginEntry>);
    const { file, sha256: hash }: Partial<PluginEntry> = given;
    if (typeof file !== "string") throw new InputError("a plug-in is the name of a file", entry, 'try "./mine.mjs"');
    await loadPlugin(resolve(dirname(spec), file), hash);
  }
  return plugins();
}
