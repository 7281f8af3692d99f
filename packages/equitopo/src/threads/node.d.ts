/** The little of node:worker_threads that the pool uses: the library is typed without Node. */
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
  export class Worker {
    constructor(code: string, options: { eval: true; workerData: unknown; transferList: readonly object[] });
    unref(): void;
    terminate(): Promise<number>;
  }
}

declare module "node:os" {
  export function availableParallelism(): number;
}
