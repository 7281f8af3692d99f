/**
 * How nodes are divided into groups, as a spec says it: at most so many in each (consecutive, sizes differing by at most
 * 1), the sizes one after another, or the members of each.
 */

import { InputError, integer } from "../input/input.ts";
import { type Option, parseNumber } from "../input/option.ts";
import { type Groups, groupsOf, membersOf } from "../round/groups.ts";

export type Grouping = number | readonly number[] | readonly (readonly number[])[];

const example = "try groups = 4, [5, 5, 4, 3] or [[0, 2], [1, 3]]";

/**
 * The groups of n nodes; every node is in exactly one. O(n).
 *
 * @example
 * ```ts
 * import { groupNodes } from "equitopo/topology";
 * groupNodes(17, 5).start.join(" ") // => "0 5 9 13 17"
 * groupNodes(4, [[0, 2], [1, 3]]).of.join(" ") // => "0 1 0 1"
 * ```
 */
export function groupNodes(n: number, grouping: Grouping): Groups {
  if (typeof grouping === "number") {
    integer("the size of groups", grouping, 1);
    const count = Math.ceil(n / grouping);
    const sizes = Array.from({ length: count }, (_, g) => Math.floor(n / count) + (g < n % count ? 1 : 0));
    return bySizes(n, sizes);
  }
  return isSizes(grouping) ? bySizes(n, grouping) : byMembers(n, grouping);
}

/** As short as it can be said: sizes where groups are consecutive, members elsewhere. */
export function groupingOf(groups: Groups): readonly number[] | readonly (readonly number[])[] {
  const lists = Array.from({ length: groups.count }, (_, g) => Array.from(membersOf(groups, g)));
  return groups.members.every((i, place) => i === place) ? lists.map(({ length }) => length) : lists;
}

const isSizes = (grouping: readonly unknown[]): grouping is readonly number[] =>
  grouping.every((entry) => typeof entry === "number");

function bySizes(n: number, sizes: readonly number[]): Groups {
  for (const size of sizes) integer("the size of a group", size, 1, n);
  const sum = sizes.reduce((total, size) => total + size, 0);
  if (sum !== n) throw new InputError(`the sizes of groups must add up to n = ${n}`, sizes.join(), example);
  let next = 0;
  const lists = sizes.map((size) => Array.from({ length: size }, () => next++));
  return groupsOf(n, lists);
}

function byMembers(n: number, lists: readonly (readonly number[])[]): Groups {
  const seen = new Uint8Array(n);
  for (const list of lists) {
    if (!Array.isArray(list) || list.length === 0) throw new InputError("every group must have members", list, example);
    for (const i of list) {
      integer("a member of a group", i, 0, n - 1);
      if (seen[i] === 1) throw new InputError("a node is in one group only", i, example);
      seen[i] = 1;
    }
  }
  const missing = seen.indexOf(0);
  if (missing >= 0) throw new InputError(`every one of the n = ${n} nodes is in a group`, missing, example);
  return groupsOf(n, lists);
}

/** The option `groups`; n is not known here, so that only its shape is checked. */
export const groupsOption: Option<Grouping | undefined> = {
  default: undefined,
  range: "a size, a list of sizes, or a list of lists of members",
  help: "nodes in a group of hierarchy, default 4; or the sizes, or members by semicolons",
  written: "5,5,4,3",
  check(name, value) {
    if (typeof value === "number") return integer(name, value, 1);
    const isList = (list: unknown): list is number[] => Array.isArray(list) && list.every((i) => Number.isInteger(i));
    if (Array.isArray(value) && value.length > 0 && (isList(value) || value.every(isList))) return value as Grouping;
    throw new InputError(`${name} must be a size, sizes, or lists of members`, value, example);
  },
  parse(text) {
    const lists = text.split(";").map((list) => list.split(",").map(parseNumber));
    if (lists.some((list) => list.includes(undefined))) return undefined;
    if (lists.length > 1) return lists;
    return lists[0].length === 1 ? lists[0][0] : lists[0];
  },
};
