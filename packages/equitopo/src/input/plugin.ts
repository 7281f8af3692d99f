/**
 * A plug-in: members of your own for the registries, from outside the project. What a module exports by default,
 *
 *   export default { topologies: [...], algorithms: [...], problems: [...], ... };
 *
 * or a function that is handed the library and gives such an object: then the module needs to import nothing.
 */

import { InputError, inside, onlyKeys } from "./input.ts";
import type { Member, Registry } from "./registry.ts";

/** The registries by the key that a plug-in has for them: "topologies". */
export type Registries = Readonly<Record<string, Registry<Member>>>;

/** Members by registry. */
export type Plugin = Readonly<Record<string, readonly Member[]>>;

/** Adds a plug-in's members to the registries; `library` is what a function is handed. */
export function addPlugin(plugin: unknown, registries: Registries, library: object): void {
  const given = typeof plugin === "function" ? called(plugin as Call, { ...library, registries }) : plugin;
  // A function may have added by itself.
  if (given === undefined && typeof plugin === "function") return;
  const kinds = Object.keys(registries);
  if (typeof given !== "object" || given === null) {
    throw new InputError(
      `a plug-in exports by default an object with some of ${kinds.join(", ")}`,
      given,
      "try export default { topologies: [defineTopology(...)] }",
    );
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

/** What a plug-in's function gives; what goes wrong inside it is the plug-in's, and told as such. */
function called(plugin: Call, library: object): unknown {
  let given: unknown;
  try {
    given = plugin(library);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError("a plug-in's function gives its members", String(error), "mend what it says");
  }
  if (!(given instanceof Promise)) return given;
  // That it gives one is told; what becomes of it is nobody's any more.
  given.catch(() => {});
  throw new InputError("a plug-in's function gives its members at once", "a promise", "await at the top of the module");
}

/** What every member has. */
function checked(member: Member): Member {
  if (typeof member?.name !== "string" || typeof member.options !== "object" || member.options === null) {
    throw new InputError("a member has a name, a summary and options", member, "options may be {}");
  }
  for (const [name, option] of Object.entries(member.options)) {
    if (typeof option?.check === "function") continue;
    throw new InputError(
      `the option ${name} of ${member.name} must be made by a maker of options`,
      option,
      "see option",
    );
  }
  return member;
}
