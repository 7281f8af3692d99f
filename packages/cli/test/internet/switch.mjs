// A switch in user space, a program of its own: it forwards TCP connections, and does to them what a network does to packets,
// where the kernel has no netem. Told by its parent, over the channel between them:
//
//   { routes: [{ listen, target, from?, to }] }   where it listens and whither it forwards; answered with { ready: true }.
//                                                 `from` is the dialler's name; its address where it is left out
//   { link: "from>to", delay, jitter, loss, resend, rate }   milliseconds, a share, milliseconds, bytes a second; of both
//                                                 directions of connections that `from` dialled to `to`; "*" for all links
//   { cut: "from>to" | "*" }, { heal: ... }       bytes wait, and new connections are not answered, until healed
//   { break: "from>to" | "*" }                    connections end, both ends are told, what was under way is lost
//   { halfOpen: "from>to", believer: "dialler" | "listener" }   the other end is told; the believer's bytes vanish
//
// Loss is drawn from a counter: a lost packet comes again `resend` later, and whatever follows it waits, as TCP's does.
import net from "node:net";

const idle = { delay: 0, jitter: 0, loss: 0, resend: 200, rate: Number.POSITIVE_INFINITY };
const settings = new Map();
const cuts = new Set();
const connections = new Set();
/** Bytes that may be under way before the sender is made to wait. */
const room = 1 << 20;

const matches = (pattern, link) => pattern === "*" || pattern === link;
const settingOf = (link) => settings.get(link) ?? settings.get("*") ?? idle;
const isCut = (link) => cuts.has(link) || cuts.has("*");

let drawn = 0;
/** A number in [0, 1) for every packet: the fractional parts of multiples of the golden ratio, the same in every run. */
function draw() {
  drawn = (drawn + 0.6180339887498949) % 1;
  return drawn;
}

/** Everything from one socket to the other, in order, late. */
class Way {
  constructor(link, source, sink) {
    Object.assign(this, { link, source, sink, queue: [], held: 0, last: 0, timer: undefined });
    source.on("data", (chunk) => this.take(chunk));
    source.once("end", () => this.take(undefined));
  }

  take(chunk) {
    const { delay, jitter, loss, resend, rate } = settingOf(this.link);
    const now = performance.now();
    const bytes = chunk?.length ?? 0;
    const packets = Math.max(1, Math.ceil(bytes / 1448));
    let late = delay + jitter * draw();
    for (let packet = 0; packet < packets && loss > 0; packet++) if (draw() < loss) late += resend;
    this.last = Math.max(this.last, now + late) + (1000 * bytes) / rate;
    this.queue.push({ chunk, time: this.last });
    this.held += bytes;
    if (this.held > room) this.source.pause();
    this.pump();
  }

  pump() {
    clearTimeout(this.timer);
    while (this.queue.length > 0 && !isCut(this.link)) {
      const wait = this.queue[0].time - performance.now();
      if (wait > 0.5) {
        this.timer = setTimeout(() => this.pump(), wait);
        return;
      }
      const { chunk } = this.queue.shift();
      if (chunk === undefined) this.sink.end();
      else {
        this.held -= chunk.length;
        this.sink.write(chunk);
      }
    }
    if (this.held <= room) this.source.resume();
  }

  end() {
    clearTimeout(this.timer);
    this.queue = [];
  }
}

/** A connection through the switch: from the one who dialled to the one who listens. */
class Connection {
  constructor(link, dialler, target) {
    Object.assign(this, { link, dialler, target, ways: [] });
    connections.add(this);
    dialler.setNoDelay(true);
    dialler.on("error", () => {});
    dialler.once("close", () => this.end());
    this.open();
  }

  /** Not answered while the link is cut: the dialler finds out by its own clock. */
  open() {
    if (isCut(this.link) || this.listener !== undefined || this.dialler.destroyed) return;
    const { dialler } = this;
    const listener = net.connect(this.target);
    this.listener = listener;
    listener.setNoDelay(true);
    listener.on("error", () => {});
    listener.once("close", () => this.end());
    this.ways = [new Way(this.link, dialler, listener), new Way(this.link, listener, dialler)];
  }

  heal() {
    this.open();
    for (const way of this.ways) way.pump();
  }

  end() {
    if (!connections.delete(this)) return;
    for (const way of this.ways) way.end();
    if (this.believer !== "dialler") this.dialler.resetAndDestroy();
    if (this.believer !== "listener") this.listener?.resetAndDestroy();
  }

  halfOpen(believer) {
    const alive = believer === "dialler" ? this.dialler : this.listener;
    this.believer = believer;
    this.end();
    alive?.removeAllListeners("data");
    alive?.resume();
  }
}

async function listen({ listen: place, target, from, to }) {
  const server = net.createServer((socket) => {
    new Connection(`${from ?? socket.remoteAddress}>${to}`, socket, target);
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(place, resolve);
  });
}

process.on("message", async (told) => {
  if (told.routes !== undefined) {
    await Promise.all(told.routes.map(listen));
    process.send({ ready: true });
  } else if (told.link !== undefined) settings.set(told.link, { ...idle, ...told });
  else if (told.cut !== undefined) cuts.add(told.cut);
  else if (told.heal !== undefined) {
    if (told.heal === "*") cuts.clear();
    else cuts.delete(told.heal);
    for (const connection of connections) connection.heal();
  } else if (told.break !== undefined) {
    for (const connection of [...connections]) if (matches(told.break, connection.link)) connection.end();
  } else if (told.halfOpen !== undefined) {
    for (const connection of [...connections]) {
      if (matches(told.halfOpen, connection.link)) connection.halfOpen(told.believer);
    }
  }
});
process.on("disconnect", () => process.exit());
