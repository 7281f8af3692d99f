/** What a bench is: it measures, says what it found to people on stdout, and hands its figures to whoever keeps them. */

/** Options as they were written, by name; each bench says in its head which it knows. */
export type Options = Readonly<Record<string, string>>;

/** One number that a bench found. */
export interface Figure {
  /** What was measured, in words: the same in every run of the same bench. */
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Whether more is better; where left out, less is. */
  readonly more?: true;
  /** Its limit or its usual rival, measured in the same run and in the same unit. */
  readonly beside?: { readonly what: string; readonly value: number };
}

export interface Report {
  figure(figure: Figure): void;
  /** Something that could not be measured on this machine, and why. */
  missing(what: string, why: string): void;
}

export type Bench = (options: Options, report: Report) => void | Promise<void>;
