/** Which rounds `equitopo graph` is about: one by its number, a range of them, or one whose random choices were given by hand. */

import { InputError, type Topology, topologies } from "equitopo";
import type { NumberedRound } from "../../format/drawing.ts";
import { type Given, parsed, whole } from "../../terminal/flags.ts";

/** So many are written in one go. */
const MOST_ROUNDS = 10_000;

export const roundFlags = {
  round: whole("<T>", "which round, from 0 (the default)", 0, 3),
  rounds: parsed("<FROM:TO>", "the rounds FROM <= t < TO: svg (animated), json or csv", () => rangeOption),
  // May be negative: -v is n - v.
  shift: whole(
    "<V>",
    "the label difference by hand (od-equidyn; ou-equidyn, with --start)",
    Number.MIN_SAFE_INTEGER,
    5,
  ),
  start: whole("<S>", "the start of the matching by hand, from 0 (ou-equidyn)", 0, 0),
};

type RoundOptions = Given<typeof roundFlags>;

/** 0:12 is rounds 0 to 11, as --crash counts them. */
function rangeOption(text: string) {
  const found = /^\s*(\d+):(\d+)\s*$/.exec(text);
  const [from, to] = found === null ? [0, 0] : [Number(found[1]), Number(found[2])];
  if (to > from && to - from <= MOST_ROUNDS && Number.isSafeInteger(to)) return { from, to };
  const rule = `rounds must be FROM:TO, the rounds FROM <= t < TO, at most ${MOST_ROUNDS} of them`;
  throw new InputError(rule, text, "try --rounds 0:12");
}

export function roundsOf(topology: Topology, options: RoundOptions): NumberedRound[] {
  const { round, rounds, start, shift } = options;
  const byHand = start !== undefined || shift !== undefined;
  const given = [
    ...(round === undefined ? [] : [`--round ${round}`]),
    ...(rounds === undefined ? [] : [`--rounds ${rounds.from}:${rounds.to}`]),
    ...(byHand ? ["--shift and --start"] : []),
  ];
  if (given.length > 1) {
    throw new InputError("--round, --rounds, and --shift with --start each say which", given, "leave out the others");
  }
  if (byHand) return [roundByHand(topology, start, shift)];
  const { from, to } = rounds ?? { from: round ?? 0, to: (round ?? 0) + 1 };
  return Array.from({ length: to - from }, (_, k) => {
    const number = from + k;
    const name = topology.kind === "static" ? `round ${number}, like all others` : `round ${number}`;
    return {
      ...{ number, name },
      // Made when it is written, and not kept: ten thousand of many nodes have no room side by side.
      get round() {
        return topology.round(number);
      },
    };
  });
}

/** The round in which these were drawn. */
function roundByHand(topology: Topology, start: number | undefined, shift: number | undefined): NumberedRound {
  const { name, n, roundOf } = topology;
  if (roundOf === undefined) {
    const names = topologies.filter(({ choices }) => choices !== undefined).map((member) => member.name);
    throw new InputError(`--shift and --start are for ${names.join(" and ")}`, name, "leave them out");
  }
  const choices = topologies.get(name).choices ?? [];
  const takes = choices.map((choice) => `--${choice}`).join(" and ");
  if (shift === undefined || choices.includes("start") !== (start !== undefined)) {
    throw new InputError(`${name} takes ${takes}`, { start, shift }, `give ${takes}`);
  }
  if (shift === 0 || Math.abs(shift) >= n) {
    const rule = `shift must be an integer from 1 to n - 1 = ${n - 1}, or -v for n - v`;
    throw new InputError(rule, shift, "try --shift 1");
  }
  if (start !== undefined && start >= n) {
    throw new InputError(`start must be an integer from 0 to n - 1 = ${n - 1}`, start, "try --start 0");
  }
  const words = [`shift ${shift}`, ...(start === undefined ? [] : [`start ${start}`])].join(", ");
  const round = roundOf({ shift: shift < 0 ? shift + n : shift, start: start ?? 0 });
  return { round, number: null, name: words };
}
