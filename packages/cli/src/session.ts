/** What all commands share: what they are told, and what they leave behind. */

/** What an action leaves behind for the caller. */
export interface Session {
  /** 1 where a check failed. */
  exitCode: number;
}

/** The options that every command has. */
export interface CommonOptions {
  readonly json?: true;
  readonly quiet?: true;
  readonly plugin?: string;
}
