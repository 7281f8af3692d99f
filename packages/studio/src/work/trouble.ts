/** What cannot be had (a hypercube of 300 nodes) is said in the place where it would have stood. */

import { InputError } from "equitopo/internal/input";

export interface Trouble {
  /** Rule, value, remedy. */
  readonly trouble: string;
}

/** What is computed, or the words of its refusal; any other error goes on. */
export function orTrouble<T>(compute: () => T): T | Trouble {
  try {
    return compute();
  } catch (error) {
    if (error instanceof InputError) return { trouble: error.message };
    throw error;
  }
}

export function isTrouble(value: object): value is Trouble {
  return "trouble" in value;
}
