/** Why a member has no seat, in words that a person can be shown. */

import type { Refusal } from "./protocol.ts";

const words: Readonly<Record<Refusal, string>> = {
  version: "this room speaks another version of equitopo; use the same one as whoever serves it",
  key: "there is no such room, or the link is not complete; copy the whole invite link",
  full: "every seat is taken; wait until somebody leaves",
  taken: "somebody else sits in that seat now",
  replaced: "this seat was taken up again in another window",
  malformed: "the room did not understand what was said, and closed the door",
  crowd: "too much came at once from this address, and the room closed the door",
  over: "the runs of this room are over",
};

/** The room refused a seat, or took it back. */
export class RoomRefused extends Error {
  readonly reason: Refusal;

  constructor(reason: Refusal) {
    super(words[reason]);
    this.name = "RoomRefused";
    this.reason = reason;
  }
}

/** There is no server, and without it nobody gets a seat. */
export class ServerGone extends Error {
  constructor() {
    super("the room's server cannot be reached, and seats were still free; ask for a new invite");
    this.name = "ServerGone";
  }
}
