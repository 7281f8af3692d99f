/** A link that was not taken, with the word that it is counted by. */

export class LinkRefused extends Error {
  /** unconnected, handshake (no answer in time), closed, or what is wrong with the hello or the proof. */
  readonly reason: string;

  constructor(reason: string) {
    super(`the link was refused: ${reason}`);
    this.name = "LinkRefused";
    this.reason = reason;
  }
}
