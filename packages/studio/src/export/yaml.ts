/**
 * A spec as YAML: mappings in blocks, and what fits on a line in braces and brackets. Plain JSON values only; strings are
 * quoted where YAML would take them for something else. (JSON is YAML, so a quoted string is one of JSON.)
 */

const PLAIN = /^[A-Za-z][A-Za-z0-9 ._/-]*$/;
const TAKEN = /^(true|false|null|yes|no|on|off)$/i;
const LINE = 100;

function scalar(value: unknown): string {
  if (typeof value === "string" && PLAIN.test(value) && !TAKEN.test(value) && value.trim() === value) return value;
  return JSON.stringify(value);
}

const given = (value: object) => Object.entries(value).filter(([, entry]) => entry !== undefined);

/** All on one line: { name: ring, n: 17 }. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (typeof value !== "object" || value === null) return scalar(value);
  return `{ ${given(value)
    .map(([key, entry]) => `${key}: ${flow(entry)}`)
    .join(", ")} }`;
}

/** The text of a document, a line for each of its keys, a line for each entry of a list of mappings. */
export function yamlOf(document: object): string {
  const lines = given(document).flatMap(([key, value]) => {
    const line = `${key}: ${flow(value)}`;
    const entries = Array.isArray(value) && value.some((entry) => typeof entry === "object");
    if (!entries && line.length <= LINE) return [line];
    if (Array.isArray(value)) return [`${key}:`, ...value.map((entry) => `  - ${flow(entry)}`)];
    if (typeof value !== "object" || value === null) return [line];
    return [`${key}:`, ...given(value).map(([inner, entry]) => `  ${inner}: ${flow(entry)}`)];
  });
  return `${lines.join("\n")}\n`;
}
