/** The JSON schema of a log's lines in docs/formats.md, and as much of a validator as it needs. */

import { readFileSync } from "node:fs";

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
}

const page = readFileSync(new URL("../../../../docs/formats.md", import.meta.url), "utf8");
export const schema = JSON.parse(/```json\n([^`]*"\$schema"[^`]*)```/.exec(page)?.[1] ?? "null") as Schema;

const typeOf = (value: unknown) =>
  Array.isArray(value) ? "array" : Number.isInteger(value) ? "integer" : value === null ? "null" : typeof value;

/** What is wrong with a value. */
export function faultsOf(value: unknown, given: Schema = schema, path = "line"): string[] {
  const fields = (typeOf(value) === "object" ? value : {}) as Record<string, unknown>;
  const chosen =
    given.if === undefined ? undefined : faultsOf(value, given.if, path).length === 0 ? given.then : given.else;
  return [
    ...(given.type === undefined || typeOf(value) === given.type ? [] : [`${path}: not ${given.type}`]),
    ...(given.const === undefined || value === given.const ? [] : [`${path}: not ${given.const}`]),
    ...(given.enum === undefined || given.enum.includes(value) ? [] : [`${path}: ${value} is not among them`]),
    ...(given.minimum === undefined || (value as number) >= given.minimum ? [] : [`${path}: below ${given.minimum}`]),
    ...(given.required ?? []).filter((name) => fields[name] === undefined).map((name) => `${path}: no ${name}`),
    ...Object.entries(given.properties ?? {}).flatMap(([name, one]) =>
      fields[name] === undefined ? [] : faultsOf(fields[name], one, `${path}.${name}`),
    ),
    ...(given.items === undefined || !Array.isArray(value)
      ? []
      : value.flatMap((one) => faultsOf(one, given.items, path))),
    ...(chosen === undefined ? [] : faultsOf(value, chosen, path)),
  ];
}
