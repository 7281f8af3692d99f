/** Peers as MPI ranks: the one exchange machine over MPI's messages (lane.ts). */

import { hostname } from "node:os";
import { Exchange, type ExchangeOptions } from "equitopo/peer";
import type { Library } from "./addon.ts";
import { type MpiLane, type MpiLaneOptions, mpiLane } from "./lane.ts";

export interface MpiOptions extends MpiLaneOptions, Omit<ExchangeOptions, "rank" | "size"> {}

export class MpiTransport extends Exchange {
  readonly #lane: MpiLane;

  static async start(options: MpiOptions = {}): Promise<MpiTransport> {
    const lane = mpiLane(options);
    return new MpiTransport(lane, { ...options, ...(await lane.start()) });
  }

  private constructor(lane: MpiLane, options: ExchangeOptions) {
    super(lane, options);
    this.#lane = lane;
  }

  get library(): Library {
    return this.#lane.library;
  }

  /** The name of the machine of each rank. All ranks call it, once, before their first exchange. */
  hosts(): Promise<string[]> {
    return this.#lane.hosts(hostname());
  }

  /** Settled when MPI has been finalised, which needs all ranks to close. */
  get finished(): Promise<void> {
    return this.#lane.finished;
  }

  /** Whether a rank has died, as far as this one has heard (only where the library can go on after it). */
  get lost(): boolean {
    return this.#lane.lost;
  }

  /**
   * After a rank's death (Open MPI 5 and later, mpirun --with-ft ulfm): all survivors call it, and go on with new ranks
   * and a smaller size, rounds from 0 again.
   */
  async shrink(): Promise<void> {
    const { rank, size } = await this.#lane.shrink();
    this.place(rank, size);
  }
}
