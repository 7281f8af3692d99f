/**
 * A small internet on one machine: hosts are network namespaces, joined by a bridge in a namespace of its own, each with
 * its cable (a veth pair) that can be pulled out. What goes through the switch (switch.mjs) is late, lost and slow as told;
 * where the kernel has netem, its queues at the cables do that, for every packet. Needs root and iproute2.
 *
 *     host h   10.77.0.(h + 1)   through the switch 10.77.1.(h + 1), which forwards to host h
 */

import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("./switch.mjs", import.meta.url));

/** Why there can be no internet here; undefined where there can. */
export function whyNoInternet(): string | undefined {
  if (process.platform !== "linux") return "network namespaces are Linux's";
  if (process.getuid?.() !== 0) return "only root makes network namespaces";
  if (spawnSync("ip", ["-V"]).status !== 0) return "there is no iproute2";
  const name = `equitopo-probe-${process.pid}`;
  const made = spawnSync("ip", ["netns", "add", name]).status === 0;
  spawnSync("ip", ["netns", "del", name]);
  return made ? undefined : "this machine refuses to make network namespaces";
}

/** What a network does to what goes through it: milliseconds, shares, bytes a second. */
export interface Weather {
  readonly delay?: number;
  readonly jitter?: number;
  readonly loss?: number;
  readonly resend?: number;
  readonly rate?: number;
}

export class Internet {
  readonly hosts: number;
  /** Whether the kernel has netem. */
  readonly netem: boolean;
  readonly #name = `eq${process.pid}`;
  readonly #children = new Set<ChildProcess>();
  #switch: ChildProcess | undefined;

  constructor(hosts: number) {
    this.hosts = hosts;
    const centre = `${this.#name}-s`;
    const commands = [
      `ip netns add ${centre}`,
      ...inside(centre, ["link add name hub type bridge", "link set hub up"]),
    ];
    commands.push(...inside(centre, ["addr add 10.77.0.254/16 dev hub", "link set lo up"]));
    for (let host = 0; host < hosts; host++) {
      const name = this.namespace(host);
      commands.push(`ip netns add ${name}`);
      commands.push(`ip link add eth netns ${name} type veth peer name port${host} netns ${centre}`);
      commands.push(...inside(centre, [`link set port${host} master hub up`, `addr add ${passage(host)}/16 dev hub`]));
      commands.push(...inside(name, [`addr add ${address(host)}/16 dev eth`, "link set eth up", "link set lo up"]));
    }
    try {
      shell(commands);
    } catch (error) {
      this.#remove();
      throw error;
    }
    const probe = ["netns", "exec", this.namespace(0), "tc", "qdisc", "replace", "dev", "eth", "root", "netem"];
    this.netem = spawnSync("ip", [...probe, "delay", "0ms"]).status === 0;
  }

  namespace(host: number): string {
    return `${this.#name}-${host}`;
  }

  /** Starts the switch: for each port of a host, what is dialled at its passage is forwarded to the host itself. */
  async open(ports: readonly { readonly host: number; readonly port: number }[]): Promise<void> {
    const child = this.centre(process.execPath, [program], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    this.#switch = child;
    const routes = ports.map(({ host, port }) => ({
      listen: { host: passage(host), port },
      target: { host: address(host), port },
      to: address(host),
    }));
    child.send({ routes });
    await once(child, "message");
  }

  /** Runs a program on a host. */
  run(host: number, command: string, words: readonly string[], options: SpawnOptions = {}): ChildProcess {
    return this.#spawn(this.namespace(host), command, words, options);
  }

  /** Runs a program where the cables come together. */
  centre(command: string, words: readonly string[], options: SpawnOptions = {}): ChildProcess {
    return this.#spawn(`${this.#name}-s`, command, words, options);
  }

  #spawn(namespace: string, command: string, words: readonly string[], options: SpawnOptions): ChildProcess {
    const child = spawn("ip", ["netns", "exec", namespace, command, ...words], options);
    this.#children.add(child);
    child.once("exit", () => this.#children.delete(child));
    return child;
  }

  /** The same weather for everything between different hosts. */
  weather(told: Weather): void {
    const { delay = 0, jitter = 0, loss = 0, rate } = told;
    for (let host = 0; host < this.hosts; host++) {
      if (this.netem) {
        const words = [`delay ${delay / 2}ms`, ...(jitter > 0 ? [`${jitter / 2}ms`] : []), `loss ${50 * loss}%`];
        const speed = rate === undefined ? [] : [`rate ${8 * rate}`];
        shell([
          `ip netns exec ${this.namespace(host)} tc qdisc replace dev eth root netem ${[...words, ...speed].join(" ")}`,
        ]);
        continue;
      }
      for (let other = 0; other < this.hosts; other++) {
        if (other !== host) this.#switch?.send({ link: `${address(host)}>${address(other)}`, ...told });
      }
    }
  }

  /** Pulls out a host's cable, and puts it back. */
  unplug(host: number): void {
    shell(inside(`${this.#name}-s`, [`link set port${host} down`]));
  }

  plug(host: number): void {
    shell(inside(`${this.#name}-s`, [`link set port${host} up`]));
  }

  /** Ends everything that runs on it and takes it down. */
  async close(): Promise<void> {
    const ended = [...this.#children].map((child) => once(child, "exit"));
    for (const child of this.#children) child.kill("SIGKILL");
    await Promise.all(ended);
    this.#remove();
  }

  #remove(): void {
    for (let host = 0; host < this.hosts; host++) spawnSync("ip", ["netns", "del", this.namespace(host)]);
    spawnSync("ip", ["netns", "del", `${this.#name}-s`]);
  }
}

export const address = (host: number) => `10.77.0.${host + 1}`;
/** Where a host is reached through the switch. */
export const passage = (host: number) => `10.77.1.${host + 1}`;

const inside = (namespace: string, commands: readonly string[]) =>
  commands.map((words) => `ip -n ${namespace} ${words}`);

function shell(commands: readonly string[]): void {
  const { status, stderr } = spawnSync("sh", ["-e", "-c", commands.join("\n")], { encoding: "utf8" });
  if (status !== 0) throw new Error(`the network could not be made: ${stderr}`);
}
