import { describe, expect, it } from "vitest";
import { showSeconds } from "../../src/terminal/numbers.ts";
import { bandwidthOption, bytesOption, secondsOption } from "../../src/terminal/units.ts";

describe("amounts with units", () => {
  it.each([
    ["87k", 87_000],
    ["87 kB", 87_000],
    ["1.5MB", 1.5e6],
    ["2MiB", 2 * 2 ** 20],
    ["1e6", 1e6],
    ["512B", 512],
    ["0", 0],
  ])("%s are bytes", (text, value) => {
    expect(bytesOption("size", "87k")(text)).toBe(value);
  });

  it.each([
    ["0.2ms", 2e-4],
    ["30us", 3e-5],
    ["2s", 2],
    ["2 min", 120],
    ["0", 0],
  ])("%s is a time", (text, value) => {
    expect(secondsOption("wait", "1ms")(text)).toBeCloseTo(value, 12);
  });

  it.each([
    ["1Gbit", 1.25e8],
    ["100Mbit/s", 1.25e7],
    ["10Gbps", 1.25e9],
    ["125MB/s", 1.25e8],
    ["125MB", 1.25e8],
  ])("%s is a speed", (text, value) => {
    expect(bandwidthOption("speed", "1Gbit")(text)).toBe(value);
  });

  it.each(["5", "ms", "5 minutes", "1.2.3s", "5msec", ""])("%s is no time", (text) => {
    expect(() => secondsOption("wait", "1ms")(text)).toThrow("wait must be a time with its unit");
  });
});

it("times are shown with three digits", () => {
  expect([0, 2e-4, 0.0080724, 0.9996, 75, 12345.6, Number.POSITIVE_INFINITY].map(showSeconds)).toEqual([
    "0 s",
    "200 us",
    "8.07 ms",
    "1 s",
    "75 s",
    "12,346 s",
    "-",
  ]);
});
