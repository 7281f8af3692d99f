// Elastic peers as processes over TCP, started, killed and told to leave by whoever makes one of these.
import { spawn } from "node:child_process";
import net from "node:net";
import { fileURLToPath } from "node:url";
import { createProblem, expandSpec } from "equitopo";
import { freePorts } from "../../dist/index.js";

const program = fileURLToPath(new URL("./elastic-peer.mjs", import.meta.url));
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export class ElasticRun {
  #ports;
  #options;
  #children = new Map();
  #asked = new Map();
  #incarnation = Date.now();
  onEpoch = () => {};
  // The last epoch that each seat has begun.
  epochs = new Map();
  summaries = new Map();

  static async open(options) {
    const ports = await freePorts(options.seats);
    return new ElasticRun(options, ports, options.wires ? await Wires.open(ports) : undefined);
  }

  constructor(options, ports, wires) {
    this.#options = options;
    this.#ports = ports;
    this.wires = wires;
    const { n, d = 10, rounds = 1e6 } = options;
    [this.run] = expandSpec({
      topologies: [{ name: "ou-equidyn", n, seed: 3 }],
      algorithms: [{ name: "dsgt", learningRate: 0.1 / d }],
      problem: { name: "least-squares", K: 20, d, sigmaN: 0, sigmaH: 1 },
      ...{ rounds, every: 1, seeds: [5] },
    });
  }

  // `back` is by how many milliseconds its clock has gone back.
  start(seat, back = 0) {
    const { timeout, silence, folder, pace } = this.#options;
    const ports = this.wires?.from(seat) ?? this.#ports;
    const job = { seat, ports, run: this.run, timeout, silence, folder, pace, incarnation: ++this.#incarnation - back };
    const child = spawn(process.execPath, ["--expose-gc", program, JSON.stringify(job)], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    child.on("message", (message) => {
      if (message.epoch !== undefined) {
        this.epochs.set(seat, message);
        this.onEpoch(message);
      } else if (message.summary !== undefined) this.summaries.set(seat, message.summary);
      else this.#asked.get(seat)?.(message.report);
    });
    child.once("exit", () => this.#children.get(seat) === child && this.#children.delete(seat));
    child.on("error", () => {});
    this.#children.set(seat, child);
  }

  kill(seat) {
    this.#children.get(seat)?.kill("SIGKILL");
    this.#children.delete(seat);
    this.epochs.delete(seat);
  }

  stop(seat, signal = "SIGSTOP") {
    this.#children.get(seat)?.kill(signal);
  }

  runs(seat) {
    return this.#children.has(seat);
  }

  leave(seat) {
    this.#children.get(seat)?.send("leave");
  }

  // Until those seats, and nobody else, are the members of the epoch that all of them have begun; seconds since now.
  async until(seats, limit = 30_000) {
    const begun = Date.now();
    const wanted = JSON.stringify(seats);
    for (;;) {
      const told = seats.map((seat) => this.epochs.get(seat));
      const same = told.every((one) => JSON.stringify(one?.epoch.members.map(({ seat }) => seat)) === wanted);
      if (same && new Set(told.map(({ epoch }) => epoch.number)).size === 1) {
        return { epoch: told[0].epoch, seconds: (Math.max(...told.map(({ time }) => time)) - begun) / 1000 };
      }
      if (Date.now() - begun > limit) {
        const found = [...this.epochs].map(([seat, { epoch }]) => `${seat}: ${epoch.number}`).join(", ");
        throw new Error(`no epoch of ${wanted} within ${limit} ms (${found})`);
      }
      await pause(20);
    }
  }

  // Where a seat stands: models, updates, and since the last report the longest time between two iterations.
  async report(seat) {
    return new Promise((resolve) => {
      this.#asked.set(seat, resolve);
      this.#children.get(seat).send("report");
    });
  }

  // The norm of the mean gradient of those seats' functions at a model.
  gradientAt(x, seats) {
    const problem = createProblem({ ...this.run.problem, n: this.#options.seats });
    const [sum, one] = [new Float64Array(problem.d), new Float64Array(problem.d)];
    for (const seat of seats) {
      problem.gradient(Float64Array.from(x), 0, one, seat, 1);
      for (let j = 0; j < one.length; j++) sum[j] += one[j] / seats.length;
    }
    return Math.hypot(...sum);
  }

  end() {
    for (const child of this.#children.values()) child.kill("SIGKILL");
    this.wires?.close();
  }
}

// A wire of its own from every peer to every other: a port that hands everything on, until it is cut. A cut wire is silent: it
// takes connections and bytes, and nothing comes out at the other end.
class Wires {
  #ports;
  #wires = [];
  #servers = [];
  #joined = () => true;

  static async open(ports) {
    const wires = new Wires();
    wires.#ports = ports;
    for (let from = 0; from < ports.length; from++) {
      wires.#wires.push(await Promise.all(ports.map((port, to) => (from === to ? port : wires.#lay(from, to)))));
    }
    return wires;
  }

  // The ports at which that peer reaches the others; its own is where it listens.
  from(seat) {
    return this.#wires[seat];
  }

  // From now on bytes get through only where it says so.
  cut(joined) {
    this.#joined = joined;
    for (const { sockets, from, to } of this.#servers) {
      for (const [near, far] of sockets) {
        if (joined(from, to)) for (const socket of [near, far]) socket.destroy();
        else for (const socket of [near, far]) socket.unpipe().resume();
      }
    }
  }

  close() {
    for (const { server, sockets } of this.#servers) {
      server.close();
      for (const pair of sockets) for (const socket of pair) socket.destroy();
    }
  }

  async #lay(from, to) {
    const sockets = new Set();
    const server = net.createServer((near) => {
      if (!this.#joined(from, to)) {
        near.on("error", () => {}).resume();
        sockets.add([near, near]);
        return;
      }
      const far = net.connect({ host: "127.0.0.1", port: this.#ports[to] });
      const pair = [near, far];
      sockets.add(pair);
      for (const [socket, other] of [pair, [far, near]]) {
        socket.setNoDelay(true).on("error", () => {});
        socket.once("close", () => {
          sockets.delete(pair);
          if (this.#joined(from, to)) other.destroy();
        });
        socket.pipe(other);
      }
    });
    this.#servers.push({ server, sockets, from, to });
    return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server.address().port)));
  }
}
