/**
 * Events of peers as lines that may come from anybody, or be the last words of a peer that was killed in the middle of
 * them: whole and sound, or not taken at all.
 */

import { decodeEvent, type PeerEvent } from "./event.ts";
import { faultKinds } from "./fault.ts";

const whole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
const isNumbers = (value: unknown): boolean =>
  isObject(value) && Object.values(value).every((one) => typeof one === "number");
const isRow = (value: unknown): boolean => value instanceof Float64Array || value instanceof Float32Array;
const isList = (value: unknown): boolean => Array.isArray(value) && value.every(whole);
const isText = (value: unknown): boolean =>
  value === undefined || (typeof value === "string" && value.length <= 10_000);

/** The event in a line about one of so many runs; undefined for anything else. O(length). */
export function readEvent(line: string, runs: number): PeerEvent | undefined {
  let event: PeerEvent | undefined;
  try {
    event = decodeEvent(line);
  } catch {
    return undefined;
  }
  if (!isObject(event) || !whole(event.rank)) return undefined;
  return isSound(event, runs) ? event : undefined;
}

function isSound(event: PeerEvent, runs: number): boolean {
  switch (event.kind) {
    case "round": {
      const { run, round, partners, bytes, lag } = event;
      return whole(run) && run < runs && whole(round) && whole(bytes) && Number.isFinite(lag) && isList(partners);
    }
    case "record": {
      const { run, updates, x, state, tally, bytes, messages, seconds, faults } = event;
      const spent = [bytes, messages, seconds].every((one) => Number.isFinite(one) && one >= 0);
      const kept = state === undefined || (isObject(state) && Object.values(state).every(isRow));
      const known = whole(run) && run < runs && whole(updates) && isRow(x) && isNumbers(faults);
      return known && spent && kept && (tally === undefined || isNumbers(tally));
    }
    case "fault": {
      const { what, run, iteration, count, partners, reason } = event;
      const known = faultKinds.includes(what) && whole(run) && run < runs && whole(iteration + 1) && whole(count);
      return known && (partners === undefined || isList(partners)) && isText(reason);
    }
    case "end": {
      if (!isObject(event.summary)) return false;
      const { exchanges, neverHeard, start, ...counts } = event.summary;
      const began = typeof start?.from === "string" && whole(start.run) && whole(start.round);
      return isNumbers(counts) && isNumbers(exchanges) && isList(neverHeard) && began && isList(start.absent);
    }
  }
  return false;
}
