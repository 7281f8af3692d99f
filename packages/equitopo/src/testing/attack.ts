/**
 * The laws of every attack: a lie repeats to the last bit, changes nothing but the message, and needs what it declares to
 * need.
 */

import type { AttackFamily, Scene } from "../faults/attack/attack.ts";
import { settle } from "../input/option.ts";
import type { Rows } from "../round/round.ts";
import { type Law, lawsOf, must, same } from "./law.ts";

const rows = Array.from({ length: 5 }, (_, i) => Float64Array.from({ length: 4 }, (_, k) => Math.sin(3 * i + k) + 2));
const [own, ...honest] = rows;

/**
 * The laws that an attack must keep, registered or not.
 *
 * @example
 * ```ts
 * import { attacks } from "equitopo/faults";
 * import { attackLaws } from "equitopo/testing";
 * const laws = attackLaws(attacks.get("noise"));
 * for (const law of laws) await law.run();
 * laws.length // => 4
 * ```
 */
export function attackLaws(member: AttackFamily, options: Readonly<Record<string, unknown>> = {}): Law[] {
  const lie = member.create(settle(member.name, member.options, options));
  const say = (row: Rows, scene: Partial<Scene> = {}): Rows => {
    const out = row.slice().fill(Number.NaN) as Rows;
    lie(row, { node: 2, exchange: 7, seed: 3, honest, ...scene }, out);
    return out;
  };
  return lawsOf({
    "the same lie again, to the last bit": () => same(say(own), say(own), "the second time"),
    "true rows stay as they are, and every number of the message is written"() {
      const before = rows.map((row) => row.slice());
      const said = say(own);
      same(rows, before, "the rows after a lie");
      must(!said.some(Number.isNaN), `it sends ${said.join(" ")}`);
    },
    "it is a lie, unless the lie is in the data": () =>
      must(own.every((value, k) => value === say(own)[k]) === (member.mislabels === true), "it sends the true row"),
    "an attack that declares to need no other rows makes the same lie without them"() {
      const alike = own.every((_, k) => Object.is(say(own, { honest: [] })[k], say(own)[k]));
      must(alike === member.alone, `alone is ${member.alone}`);
    },
  });
}
