/** The plug-ins that this process or thread has loaded (plugin.ts), by their files. */

import type { PluginEntry } from "equitopo/run";

export const loaded = new Map<string, PluginEntry>();

export function plugins(): readonly PluginEntry[] {
  return [...loaded.values()];
}
