import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readOptions } from "../../scripts/static/options.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "static-options-"));
  writeFileSync(join(folder, "mine.txt"), "");
});
afterAll(() => rmSync(folder, { recursive: true }));

const read = (...args: string[]) => readOptions(args, "https://deployed.example");

describe("the arguments of npm run static", () => {
  test("have the deployed site's address as the old and the new one, unless they name others", () => {
    const site = join(folder, "new");
    const deployed = "https://deployed.example";
    expect(read(site)).toEqual({ folder: site, from: deployed, address: deployed, hasAudio: false });
    expect(
      read(site, "--from", "https://old.example/", "--address", "https://new.example", "--audio"),
    ).toEqual({ folder: site, from: "https://old.example", address: "https://new.example", hasAudio: true });
  });

  test("refuse a folder that is not empty", () => {
    expect(() => read(folder)).toThrow(
      `${folder} is not empty. Name a new folder, so that no file of another site is among these.`,
    );
  });

  test("need a folder", () => {
    expect(() => read()).toThrow("Say where to: npm run static -- ../my-site --address https://new.example");
  });

  test.each(["new.example", "https://host.example/my-site", "ftp://new.example"])(
    "refuse the address %s, which is not the root of a host",
    (address) => {
      expect(() => read(join(folder, "new"), "--address", address)).toThrow(
        `--address ${address} is not an address such as https://new.example: the site cannot be in a folder of a host.`,
      );
    },
  );
});
