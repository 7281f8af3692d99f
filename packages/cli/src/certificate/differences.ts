/** What a file claims against what is derived. */

/** Where two objects differ, key by key: numbers by more than the slack of their key, anything else at all. */
export function differences(claimed: object, derived: object, slackOf: (key: string) => number, path = ""): string[] {
  const [ours, theirs] = [claimed, derived] as [Record<string, unknown>, Record<string, unknown>];
  return [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].flatMap((key) => {
    const name = `${path}${key}`;
    // A name such as "constructor" is known of every object, and said of no topology.
    if (!Object.hasOwn(ours, key)) return theirs[key] === undefined ? [] : [`${name} is missing`];
    if (!Object.hasOwn(theirs, key)) return [`${name} is nothing that is known of this topology`];
    const [is, should] = [ours[key], theirs[key]];
    if (isObject(is) && isObject(should) && Array.isArray(is) === Array.isArray(should)) {
      return differences(is, should, () => slackOf(key), `${name}.`);
    }
    const numbers = typeof is === "number" && typeof should === "number";
    const agree = is === should || (numbers && Math.abs(is - should) <= slackOf(key));
    return agree ? [] : [`${name} is ${JSON.stringify(is)} in the file, ${JSON.stringify(should)} when derived`];
  });
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
