/** The little of node:worker_threads that the pools use: the library is typed without Node. */
declare module "node:worker_threads" {
  export class MessagePort {
    postMessage(message: unknown): void;
    unref(): void;
    close(): void;
  }
  export class MessageChannel {
    readonly port1: MessagePort;
    readonly port2: MessagePort;
  }
  export const parentPort: MessagePort | null;
  export const workerData: unknown;
  export class Worker {
    constructor(code: string, options: { eval: true; workerData: unknown; transferList: readonly object[] });
    constructor(file: URL, options: { workerData: unknown });
    once(event: "message", listener: () => void): this;
    once(event: "error", listener: (error: Error) => void): this;
    unref(): void;
    terminate(): Promise<number>;
  }
}

declare module "node:os" {
  export function availableParallelism(): number;
}

declare class URL {
  constructor(path: string, base: string);
}

interface ImportMeta {
  readonly url: string;
}
