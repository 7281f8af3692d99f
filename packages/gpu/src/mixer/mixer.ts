/**
 * Gossip rounds over rows that stay on the device: y_i = w_ii x_i + sum over in-neighbours j of w_ij x_j, for shifts,
 * matchings, edge lists and means alike, in float32, added up in the order that rounds define. One kernel: every number
 * of x is read degree + 1 times and every number of y written once; a round's table is all that is sent to the device.
 */

import { InputError, integer } from "equitopo/internal/input";
import type { AsyncMixer, Round, Rows } from "equitopo/internal/round";
import type { Gpu } from "../device/adapter.ts";
import { readRows, storage, writeRows } from "../device/memory.ts";
import { compilerOf, type Program, submit } from "../device/program.ts";
import { mixRows } from "../shader/row.ts";
import { linksOf } from "../train/links.ts";
import { type Steps, stepsOf } from "../train/steps.ts";

/** n rows on the device, given up to whoever mixes them. */
export interface DeviceRows {
  readonly width: number;
  readonly buffer: GPUBuffer;
}

/** A width's memory: rows go back and forth between the two buffers, by a program for each way. */
interface Lane {
  readonly stride: number;
  readonly buffers: readonly [GPUBuffer, GPUBuffer];
  programs?: Promise<readonly [Program, Program]> | undefined;
}

export class GpuMixer implements AsyncMixer {
  readonly later = true;
  readonly n: number;
  readonly #gpu: Gpu;
  readonly #steps: Steps;
  readonly #links: ReturnType<typeof linksOf>;
  readonly #lanes = new Map<number, Lane>();
  readonly #span: GPUBuffer;
  #table: GPUBuffer;
  #last: Round | undefined;
  /** Those who mix rows in ordinary memory take turns: they share the device's. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(gpu: Gpu, n: number) {
    this.n = integer("n", n, 1);
    this.#gpu = gpu;
    this.#steps = stepsOf(gpu, 1);
    this.#steps.write([{ t: 0, count: 0, row: 0, momentum: 0 }]);
    this.#links = linksOf(n, 1);
    this.#span = storage(gpu, "the rounds", 2 * n);
    this.#table = storage(gpu, "the rounds", 4 * n);
  }

  /** n zeroed rows in ordinary memory, for algorithms that compute on the CPU. */
  rows(width: number): Rows {
    return new Float32Array(this.n * width);
  }

  /** The rows on the device; those of this width that were there before are given up. */
  upload(rows: Rows): DeviceRows {
    const width = rows.length / this.n;
    const { stride, buffers } = this.#lane(width);
    writeRows(this.#gpu, { buffer: buffers[0], stride, width, first: 0 }, rows);
    return { width, buffer: buffers[0] };
  }

  download({ width, buffer }: DeviceRows): Promise<Float32Array> {
    return readRows(this.#gpu, { buffer, stride: this.#lane(width).stride, width, first: 0 }, this.n);
  }

  /** W x on the device; handed in, not waited for. */
  async mixOnDevice(round: Round, x: DeviceRows): Promise<DeviceRows> {
    if (round.n !== this.n)
      throw new InputError(`a round of this mixer has ${this.n} nodes`, round.n, "give both one n");
    this.#write(round);
    const lane = this.#lane(x.width);
    const { buffers } = lane;
    lane.programs ??= this.#programs(lane);
    const programs = await lane.programs;
    const way = x.buffer === buffers[0] ? 0 : 1;
    submit(this.#gpu, [programs[way], 0]);
    return { width: x.width, buffer: buffers[1 - way] };
  }

  /** W x for rows in ordinary memory: there, mixed, and back. */
  mix(round: Round, x: Rows): Promise<Rows> {
    const mixed = this.#turn.then(async () => {
      x.set(await this.download(await this.mixOnDevice(round, this.upload(x))));
      return x;
    });
    this.#turn = mixed.catch(() => undefined);
    return mixed;
  }

  #write(round: Round): void {
    if (round === this.#last) return;
    this.#last = round;
    this.#links.clear();
    this.#links.add(0, 0, round);
    const { span } = this.#links;
    const links = this.#links.links();
    if (4 * links.length > this.#table.size) {
      // Programs hold on to their table: for a larger one they are made anew.
      this.#table = storage(this.#gpu, "the rounds", 2 * links.length);
      for (const lane of this.#lanes.values()) lane.programs = undefined;
    }
    this.#gpu.device.queue.writeBuffer(this.#table, 0, links);
    this.#gpu.device.queue.writeBuffer(this.#span, 0, span);
  }

  #lane(width: number): Lane {
    const found = this.#lanes.get(width);
    if (found !== undefined) return found;
    const stride = 4 * Math.ceil(width / 4);
    const rows = () => storage(this.#gpu, "the rows", this.n * stride);
    const lane: Lane = { stride, buffers: [rows(), rows()] };
    this.#lanes.set(width, lane);
    return lane;
  }

  #programs({ stride, buffers: [a, b] }: Lane): Promise<readonly [Program, Program]> {
    const table = { span: this.#span, links: this.#table, exchanges: 1, at: 0 };
    const way = (x: GPUBuffer, y: GPUBuffer) => {
      const kernel = mixRows({ label: "mix", replicas: this.n, stride, ...table, x, y });
      return compilerOf(this.#gpu).program([kernel], this.#steps.buffer);
    };
    return Promise.all([way(a, b), way(b, a)]);
  }
}
