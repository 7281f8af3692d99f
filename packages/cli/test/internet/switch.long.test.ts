/** The switch in user space does what it is told: late, lost, slow, cut, broken, half-open. */

import { fork } from "node:child_process";
import { once } from "node:events";
import net from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const network = fork(fileURLToPath(new URL("./switch.mjs", import.meta.url)));
/** Echoes what comes; counts those that have gone. */
const accepted = new Set<net.Socket>();
const echo = net.createServer((socket) => {
  accepted.add(socket);
  socket.on("error", () => {});
  socket.once("close", () => accepted.delete(socket));
  socket.pipe(socket);
});
let port = 0;

beforeAll(async () => {
  echo.listen(0, "127.0.0.1");
  await once(echo, "listening");
  // A port that was free a moment ago.
  const probe = net.createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  ({ port } = probe.address() as net.AddressInfo);
  probe.close();
  await once(probe, "close");
  const target = { host: "127.0.0.1", port: (echo.address() as net.AddressInfo).port };
  network.send({ routes: [{ listen: { host: "127.0.0.1", port }, target, from: "a", to: "b" }] });
  await once(network, "message");
});

afterAll(() => {
  network.disconnect();
  for (const socket of accepted) socket.destroy();
  echo.close();
});

async function dial(): Promise<net.Socket> {
  const socket = net.connect({ host: "127.0.0.1", port });
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

const gone = (socket: net.Socket) => new Promise((resolve) => socket.once("close", resolve));

/** Milliseconds until so many bytes have come back. */
async function back(socket: net.Socket, bytes: Buffer): Promise<number> {
  const begun = performance.now();
  let heard = 0;
  socket.write(bytes);
  while (heard < bytes.length) heard += (await once(socket, "data"))[0].length;
  return performance.now() - begun;
}

describe("the switch", () => {
  it("is late by the delay, both ways, and slow by the rate", async () => {
    const socket = await dial();
    network.send({ link: "a>b", delay: 100 });
    expect(await back(socket, Buffer.from("x"))).toBeGreaterThan(190);
    network.send({ link: "a>b", rate: 1_000_000 });
    expect(await back(socket, Buffer.alloc(300_000))).toBeGreaterThan(290);
    network.send({ link: "a>b" });
    socket.destroy();
  });

  it("brings lost packets later", async () => {
    const socket = await dial();
    network.send({ link: "a>b", loss: 1, resend: 150 });
    expect(await back(socket, Buffer.from("x"))).toBeGreaterThan(290);
    network.send({ link: "a>b" });
    socket.destroy();
  });

  it("holds what is sent through a cut, and brings it whole", async () => {
    const socket = await dial();
    await back(socket, Buffer.from("x"));
    network.send({ cut: "a>b" });
    setTimeout(() => network.send({ heal: "a>b" }), 200);
    expect(await back(socket, Buffer.alloc(10_000))).toBeGreaterThan(150);
    socket.destroy();
  });

  it("breaks connections: both ends are told", async () => {
    const socket = await dial();
    await back(socket, Buffer.from("x"));
    const listener = [...accepted].at(-1) as net.Socket;
    network.send({ break: "*" });
    await Promise.all([gone(socket), gone(listener)]);
  });

  it("leaves a connection half-open: one end is told, the other's bytes vanish", async () => {
    const socket = await dial();
    await back(socket, Buffer.from("x"));
    const listener = [...accepted].at(-1) as net.Socket;
    network.send({ halfOpen: "a>b", believer: "dialler" });
    await gone(listener);
    socket.write("into nothing");
    const silent = new Promise((resolve) => setTimeout(resolve, 100, "silence"));
    expect(await Promise.race([once(socket, "data"), gone(socket), silent])).toBe("silence");
    socket.destroy();
  });
});
