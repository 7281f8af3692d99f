/** The plug-ins that this process or thread has loaded (plugin.ts), by their files. */

export interface LoadedPlugin {
  readonly file: string;
  readonly sha256: string;
}

export const loaded = new Map<string, LoadedPlugin>();

/** All that were loaded, in order. */
export function plugins(): readonly LoadedPlugin[] {
  return [...loaded.values()];
}
