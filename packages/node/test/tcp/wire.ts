/** A wire between peers that can be cut without either end being told: connections stay open, and nothing passes. */

import net from "node:net";

export class Wire {
  readonly #server: net.Server;
  readonly #pairs: [net.Socket, net.Socket][] = [];
  /** Where new connections lead. */
  target: number;

  private constructor(target: number) {
    this.target = target;
    this.#server = net.createServer((near) => {
      const far = net.connect(this.target, "127.0.0.1");
      this.#pairs.push([near, far]);
      for (const socket of [near, far]) socket.setNoDelay(true).on("error", () => {});
      near.pipe(far);
      far.pipe(near);
    });
  }

  /** A wire to a port of this machine. */
  static async to(target: number): Promise<Wire> {
    const wire = new Wire(target);
    await new Promise<void>((resolve) => wire.#server.listen(0, "127.0.0.1", resolve));
    return wire;
  }

  get address(): { host: string; port: number } {
    return { host: "127.0.0.1", port: (this.#server.address() as net.AddressInfo).port };
  }

  /** From now on nothing passes over what is connected, in either direction; nobody is told. */
  cut(): void {
    for (const [near, far] of this.#pairs) {
      near.unpipe(far);
      far.unpipe(near);
      // Read and thrown away, as by a host that is not there; and never answered with an end.
      for (const socket of [near, far]) socket.removeAllListeners("end").resume();
    }
  }

  async close(): Promise<void> {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
