/**
 * A topology in the address: its name and the options that differ from the defaults, `d-equistatic;m=9;seed=3` or
 * `d-equistatic;basis=1_5_12`. Lists have underscores between their numbers. n is a field of its own: all topologies share it.
 * A graph from a file is not in a link: the person who opens the link has not got the file.
 */

import { topologies } from "equitopo";
import { titleOf } from "equitopo/picture";
import type { Field } from "./field.ts";

/** A topology without its n. */
export interface Chosen {
  readonly name: string;
  readonly [option: string]: unknown;
}

export const topologyField: Omit<Field<Chosen>, "initial"> = {
  read(text) {
    const [name, ...words] = text.split(";");
    if (!topologies.has(name) || name === "file") return undefined;
    const options = words.flatMap((word): [string, unknown][] => {
      const at = word.indexOf("=");
      const value = at < 1 ? undefined : optionValue(word.slice(at + 1));
      return value === undefined ? [] : [[word.slice(0, at), value]];
    });
    return { ...Object.fromEntries(options.filter(([key]) => key !== "name" && key !== "n")), name };
  },
  write({ name, ...options }) {
    if (name === "file") return `file;path=${options["path"]}`;
    const given = Object.entries(options).filter(([key, value]) => key !== "n" && value !== undefined);
    return [name, ...given.map(([key, value]) => `${key}=${Array.isArray(value) ? listed(value) : value}`)].join(";");
  },
};

/** A list of one number ends with an underscore, or it would be read as a number. */
const listed = (values: readonly unknown[]) => (values.length === 1 ? `${values[0]}_` : values.join("_"));

const number = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/;
const list = /^(-?\d+(\.\d+)?(e[+-]?\d+)?_)+(-?\d+(\.\d+)?(e[+-]?\d+)?)?$/;

function optionValue(text: string): unknown {
  if (list.test(text)) return text.split("_").filter(Boolean).map(Number);
  if (number.test(text)) return Number(text);
  if (text === "true" || text === "false") return text === "true";
  return /^[a-z][a-z0-9-]*$/.test(text) ? text : undefined;
}

/** What a topology is called on the page: a file by its name. */
export const nameOf = ({ name, path }: Chosen): string => (name === "file" ? String(path) : titleOf(name));

/** The same, with the options that it was given: "D-EquiStatic, m = 9". */
export function labelOf(chosen: Chosen): string {
  const { name, ...options } = chosen;
  if (name === "file") return nameOf(chosen);
  const given = Object.entries(options).filter(([key]) => key !== "n");
  return [nameOf(chosen), ...given.map(([key, value]) => `${key} = ${String(value)}`)].join(", ");
}
