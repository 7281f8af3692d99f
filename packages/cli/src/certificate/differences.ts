/** What a file claims against what is derived. */

/** Where two objects differ, key by key: numbers by more than the slack, anything else at all. */
export function differences(claimed: object, derived: object, slack: number, path = ""): string[] {
  const [ours, theirs] = [claimed, derived] as [Record<string, unknown>, Record<string, unknown>];
  return [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].flatMap((key) => {
    const name = `${path}${key}`;
    const [is, should] = [ours[key], theirs[key]];
    if (!(key in ours)) return [`${name} is missing`];
    if (!(key in theirs)) return [`${name} is nothing that is known of this topology`];
    if (typeof is === "object" && is !== null && typeof should === "object" && should !== null) {
      return differences(is, should, slack, `${name}.`);
    }
    const numbers = typeof is === "number" && typeof should === "number";
    const agree = numbers ? Math.abs(is - should) <= slack : is === should;
    // A certified error comes out of rounding: of the same size is the same.
    const same = key === "error" ? numbers && is >= should / 10 && is <= 10 * should : agree;
    return same ? [] : [`${name} is ${JSON.stringify(is)} in the file, ${JSON.stringify(should)} when derived`];
  });
}
