import { InputError } from "equitopo";
import { describe, expect, test } from "vitest";
import { classFolders } from "../../src/data/class-folders.ts";

describe("images in folders by class", () => {
  test("words are numbered in order, whatever the order of the files", () => {
    const paths = ["x/zebra/1.png", "x/ant/2.JPG", "x/ant/1.webp"];
    expect(classFolders(paths, 2)).toEqual([
      { path: "x/ant/1.webp", label: 0 },
      { path: "x/ant/2.JPG", label: 0 },
      { path: "x/zebra/1.png", label: 1 },
    ]);
  });

  test("numbers are classes as they are, and may be missing", () => {
    expect(classFolders(["3/a.png", "7/b.png"], 10).map(({ label }) => label)).toEqual([3, 7]);
  });

  test("what two people would number differently is refused", () => {
    expect(() => classFolders(["x/dog/1.png"], 2)).toThrow(InputError);
    expect(() => classFolders(["x/12/1.png"], 10)).toThrow(/0 to 9/);
    expect(() => classFolders(["a.png"], 2)).toThrow(/folder for each class/);
    expect(() => classFolders(["x/dog/readme.txt"], 2)).toThrow(/no picture/);
  });
});
