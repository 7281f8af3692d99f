import type { Files } from "equitopo";
import { describe, expect, it } from "vitest";
import { openText } from "../../src/text/registry.ts";
import { decodeTokens, encodeText, tokenized } from "../../src/text/tokens.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);

describe("tokens", () => {
  it("of characters: the last tenth of the bytes is for validation, from a whole character on", () => {
    // 18 letters and two of two bytes: 22 bytes, of which 19.8 are for training; byte 19 is inside the first umlaut.
    const text = tokenized([{ name: "a", bytes: utf8("abcdefghijklmnopqräxö") }], "characters");
    expect(text.alphabet).toEqual({ tokens: "characters", characters: "abcdefghijklmnopqrxäö" });
    expect([text.train.length, text.validation.length]).toEqual([19, 2]);
    expect(text.vocabulary).toBe(21);
    // The second of the two, alone, is predicted.
    expect(text.bytesPerToken).toBe(2);
    expect(decodeTokens(text.alphabet, [...text.validation])).toBe("xö");
    expect(encodeText(text.alphabet, "öa")).toEqual([20, 0]);
    expect(() => encodeText(text.alphabet, "Z")).toThrow("characters of its text alone");
  });

  it("of bytes, and where files begin", () => {
    const files = ["0123456789", "", "abcdefghij"].map((text, k) => ({ name: `${k}`, bytes: utf8(text) }));
    const text = tokenized(files, "bytes");
    expect(text.files).toEqual([0, 10, 18]);
    expect(decodeTokens(text.alphabet, [...text.train])).toBe("0123456789abcdefgh");
    expect(decodeTokens(text.alphabet, encodeText(text.alphabet, "ß"))).toBe("ß");
  });

  it("refuses bytes that are no characters", () => {
    expect(() => tokenized([{ name: "odd", bytes: Uint8Array.of(0xff, 0xfe) }], "characters")).toThrow("UTF-8");
  });
});

describe("texts", () => {
  const folder = (entries: Readonly<Record<string, string>>): Files => ({
    has: (name) => name in entries || Object.keys(entries).some((key) => key.startsWith(`${name}/`)),
    read: (name) => utf8(entries[name]),
    list: (name) => Object.keys(entries).filter((key) => name === "" || key.startsWith(`${name}/`)),
    place: "here",
  });
  const names = (spec: Parameters<typeof openText>[0], files: Files) =>
    openText(spec, { files, seed: 0 }).map(({ name }) => name);

  it("of one's own: a folder, a folder in it, or a file", () => {
    const files = folder({ "a.txt": "one", "b/c.txt": "two", "b/d.txt": "three" });
    expect(names("text", files)).toEqual(["a.txt", "b/c.txt", "b/d.txt"]);
    expect(names({ name: "text", path: "b" }, files)).toEqual(["b/c.txt", "b/d.txt"]);
    expect(names({ name: "text", path: "a.txt" }, files)).toEqual(["a.txt"]);
    expect(() => names({ name: "text", path: "e" }, files)).toThrow("a file or a folder");
    expect(() => openText("text", { seed: 0 })).toThrow("--data DIR");
  });

  it("that everybody has are checked", () => {
    expect(() => names("shakespeare", folder({ "input.txt": "Good morrow" }))).toThrow("SHA-256 86c4e6aa");
    expect(() => names("shakespeare", folder({}))).toThrow("char-rnn");
    expect(() => names("sotu", folder({ "data/1790_george_washington_n.txt": "Fellow" }))).toThrow("SHA-256 805ccd2b");
  });

  it("that are drawn are functions of the seed, and their files differ", () => {
    const [one, again, other] = [1, 1, 2].map((seed) => openText({ name: "grammar", files: 3, bytes: 900 }, { seed }));
    expect(one).toEqual(again);
    expect(one).not.toEqual(other);
    expect(one.map(({ bytes }) => bytes.length).every((length) => length >= 300 && length < 360)).toBe(true);
    expect(new TextDecoder().decode(one[0].bytes)).toMatch(/^(the \w+ \w+ \w+ the \w+\.\n)+$/);
  });
});
