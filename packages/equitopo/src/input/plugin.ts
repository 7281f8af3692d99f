/**
 * A plug-in adds members of your own to the registries, from outside the project. Its module exports by default
 *
 *   { topologies: [...], algorithms: [...], problems: [...], ... }
 *
 * or a function that receives the library and returns such an object; then the module needs to import nothing.
 */

import { InputError, inside, onlyKeys } from "./input.ts";
import type { AnyFamily, Registry } from "./registry.ts";

/** The registries by the key that a plug-in has for them: "topologies". */
export type Registries = Readonly<Record<string, Registry<AnyFamily>>>;

/** Members by registry. */
export type Plugin = Readonly<Record<string, readonly AnyFamily[]>>;

/** Adds a plug-in's members to the registries; a function receives `library`. */
export function addPlugin(plugin: unknown, registries: Registries, library: object): void {
  const given = typeof plugin === "function" ? called(plugin as Call, { ...library, registries }) : plugin;
  // A function may have added its members itself.
  if (given === undefined && typeof plugin === "function") return;
  const kinds = Object.keys(registries);
  if (typeof given !== "object" || given === null) {
    const rule = `a plug-in exports by default an object with some of ${kinds.join(", ")}`;
    throw new InputError(rule, given, "try export default { topologies: [defineTopology(...)] }");
  }
  onlyKeys("a plug-in", given, kinds);
  for (const [kind, members] of Object.entries(given as Plugin)) {
    if (!Array.isArray(members)) throw new InputError(`${kind} must be a list of members`, members, "put it in [ ]");
    members.forEach((member, k) => {
      inside(`${kind}[${k}]`, () => registries[kind].add(checked(member)));
    });
  }
}

type Call = (library: object) => unknown;

/** Calls a plug-in's function; what it throws is reported as an error of the plug-in. */
function called(plugin: Call, library: object): unknown {
  let given: unknown;
  try {
    given = plugin(library);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError("a plug-in's function gives its members", String(error), "mend what it says");
  }
  if (!(given instanceof Promise)) return given;
  // The promise is reported as an error; its own failure is ignored.
  given.catch(() => {});
  throw new InputError("a plug-in's function gives its members at once", "a promise", "await at the top of the module");
}

function checked(member: AnyFamily): AnyFamily {
  if (typeof member?.name !== "string" || typeof member.options !== "object" || member.options === null) {
    throw new InputError("a member has a name, a summary and options", member, "options may be {}");
  }
  for (const [name, option] of Object.entries(member.options)) {
    if (typeof option?.check === "function") continue;
    const rule = `the option ${name} of ${member.name} must be made by a maker of options`;
    throw new InputError(rule, option, "see option");
  }
  return member;
}
