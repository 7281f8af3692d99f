/** node-datachannel, as far as there is one for this machine: its binaries are optional packages, one for each system. */

export type NodeDataChannel = typeof import("node-datachannel");

/** Why WebRTC cannot be used here: what is missing, and what to do about it. */
export class RtcError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "RtcError";
  }
}

let loaded: NodeDataChannel | undefined;

export async function loadRtc(): Promise<NodeDataChannel> {
  try {
    loaded ??= await import("node-datachannel");
    return loaded;
  } catch (error) {
    throw new RtcError(
      `node-datachannel could not be loaded (${(error as Error).message}); install it without leaving out optional ` +
        "packages (npm install node-datachannel), or have browsers reach this peer by WebSocket",
    );
  }
}

/** Ends the threads of all connections, so that the program can end. Nothing where none was made. */
export function closeRtc(): void {
  loaded?.cleanup();
}
