/** Odd requests, messages and frames: what an honest program never sends, and what it sends with something wrong in it. Drawn from a seed. */

export type Draw = (most: number) => number;

/** Whole numbers below `most`, one after the other (xorshift). */
export function drawsOf(seed: number): Draw {
  let state = seed * 2_654_435_761 + 1;
  return (most) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % most;
  };
}

const pick = <T>(draw: Draw, list: readonly T[]): T => list[draw(list.length)];

const numbers = [0, -1, 1, 0.5, 3, 17, 65_536, 2 ** 31, 2 ** 50, -(2 ** 53), 1e308, null];
const words = [
  ...["", "x", "__proto__", "constructor", "toString", "=1+1", "\u001b]0;x\u0007", "\ud800", "é".repeat(50)],
  ...["../../etc/passwd", "a\0b", "x".repeat(300), "x".repeat(5000), "[".repeat(200), "127.0.0.1", "ws://127.0.0.1:1/"],
];

/** A value of JSON, at most so deep. */
export function oddValue(draw: Draw, depth = 3): unknown {
  const kind = draw(depth > 0 ? 6 : 4);
  if (kind === 0) return pick(draw, numbers);
  if (kind === 1) return pick(draw, words);
  if (kind === 2) return draw(2) === 0;
  if (kind === 3) return null;
  const some = Array.from({ length: draw(6) }, () => oddValue(draw, depth - 1));
  if (kind === 4) return some;
  return Object.fromEntries(some.map((value) => [pick(draw, words), value]));
}

/** A message that has the fields of one of these, some of them odd; now and then no JSON, cut, or very deep. */
export function oddText(draw: Draw, models: readonly object[]): string {
  const kind = draw(12);
  if (kind === 0) return pick(draw, words);
  if (kind === 1) return `${"[".repeat(30_000)}${"]".repeat(30_000)}`;
  const fields = Object.entries(pick(draw, models)).map(([name, value]) => {
    const change = draw(5);
    if (change === 0) return [name, oddValue(draw)];
    return [change === 1 && draw(4) === 0 ? pick(draw, words) : name, value];
  });
  const text = JSON.stringify(Object.fromEntries(fields));
  return kind === 2 ? text.slice(0, draw(text.length)) : text;
}

export function oddBytes(draw: Draw, most: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: draw(most) }, () => draw(256));
}

const methods = ["GET", "GET", "GET", "POST", "HEAD", "PUT", "OPTIONS", "DELETE", "TRACE", "get", "G\0T", "BREW"];
const paths = [
  ...[
    "/",
    "//",
    "///",
    "//x",
    "/index.html",
    "/gpu.js",
    "/graphs.js",
    "/join",
    "/signal",
    "/api",
    "/api/runs",
    "/api/live",
  ],
  ...[
    "/api/runs//",
    "/api/runs/%",
    "/api/runs/../x",
    "/api/runs/a/%2e%2e",
    "/api/runs/%00/x",
    "/%ff",
    "http://[",
    "*",
    "?",
  ],
  ...[
    "/api/live?x",
    "http://127.0.0.1/",
    "/\\\\x",
    "/é",
    `/${"a".repeat(4000)}`,
    "/api/runs/big/rows.bin",
    "/api/runs/x/y",
  ],
];
const heads = [
  ...["Host: evil.example", "Host:", "Origin: null", "Origin: http://[", "Connection: Upgrade", "Upgrade: websocket"],
  ...[
    "Upgrade: h2c",
    "Content-Length: 5",
    "Content-Length: -1",
    "Content-Length: 99999999999999999999",
    "Expect: 100-continue",
  ],
  ...[
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: x",
    "Sec-WebSocket-Key: x",
    "Sec-WebSocket-Version: 99",
    "Range: bytes=9-1",
  ],
  ...[
    "Accept-Encoding: \u0001",
    "X: y\r\n z",
    ": x",
    "no colon",
    `Cookie: ${"c".repeat(9000)}`,
    "Authorization: Bearer ü",
  ],
];

/** A request as bytes on the wire; `own` are the lines that make it a welcome one, if it is to be. */
export function oddRequest(draw: Draw, own: readonly string[]): string {
  const more = Array.from({ length: draw(4) }, () => pick(draw, heads));
  const version = draw(20) === 0 ? pick(draw, ["HTTP/9.9", "HTTP/1.0", ""]) : "HTTP/1.1";
  const body = draw(3) === 0 ? oddText(draw, [{ version: 1, source: "x", kind: "gone", rank: 1 }]) : "";
  return `${pick(draw, methods)} ${pick(draw, paths)} ${version}\r\n${[...own, ...more].join("\r\n")}\r\n\r\n${body}`;
}
