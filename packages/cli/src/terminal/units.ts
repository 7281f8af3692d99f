/** Amounts with their units, as people write them: 87k, 0.2ms, 1Gbit. */

import { InputError, option } from "equitopo";

const thousands: Readonly<Record<string, number>> = { "": 1, k: 1e3, K: 1e3, M: 1e6, G: 1e9, T: 1e12 };
const binary: Readonly<Record<string, number>> = { Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 };
const seconds: Readonly<Record<string, number>> = { s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, ns: 1e-9, min: 60, h: 3600 };

/** A parser of amounts; `scale` is how much a unit is worth, undefined where it is none. */
function amountOption(name: string, what: string, example: string, scale: (unit: string) => number | undefined) {
  return (text: string): number => {
    const [, digits = "", words = ""] = /^([+-]?[\d.]+(?:e[+-]?\d+)?)\s*(\D*)$/i.exec(text.trim()) ?? [];
    const [value, unit] = [option.parseNumber(digits), words.trim()];
    // Nothing is nothing in every unit.
    const factor = value === 0 && unit === "" ? 1 : scale(unit);
    if (value !== undefined && value >= 0 && factor !== undefined) return value * factor;
    throw new InputError(`${name} must be ${what}`, text, `try --${name} ${example}`);
  };
}

/** 87k, 87 kB, 1.5M, 2MiB, 87000. */
export function bytesOption(name: string, example: string): (text: string) => number {
  const scale = (unit: string) => {
    const prefix = unit.replace(/B$/, "");
    return thousands[prefix] ?? binary[prefix];
  };
  return amountOption(name, "a number of bytes, such as 87k, 1.5MB or 2MiB", example, scale);
}

/** 0.2ms, 30us, 2s: a bare number could be anything. */
export function secondsOption(name: string, example: string): (text: string) => number {
  return amountOption(name, "a time with its unit (s, ms, us, ns)", example, (unit) => seconds[unit]);
}

/** 1Gbit, 100Mbit/s, 10Gbps, 125MB/s; in bytes a second. */
export function bandwidthOption(name: string, example: string): (text: string) => number {
  const scale = (unit: string) => {
    const found = /^([kKMGT]?)(bit|b|B|byte|bytes)(?:\/s|ps)?$/.exec(unit);
    if (found === null) return undefined;
    return thousands[found[1]] / (found[2] === "bit" || found[2] === "b" ? 8 : 1);
  };
  const parse = amountOption(name, "a speed with its unit, such as 1Gbit, 100Mbit/s or 125MB/s", example, scale);
  return (text) => {
    const value = parse(text);
    if (value > 0) return value;
    throw new InputError(`${name} must be above 0`, text, `try --${name} ${example}`);
  };
}
