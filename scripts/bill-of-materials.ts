import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { shippedPackages } from "./licences.ts";
import { npm, root } from "./tools.ts";

/** Where a release has its bill of materials. */
export const BILL = join(root, "build", "sbom.cdx.json");

type Bill = {
  $schema: string;
  bomFormat: "CycloneDX";
  specVersion: string;
  metadata: { component: { name: string; "bom-ref": string } };
  components: { "bom-ref": string; name: string; version: string; licenses: unknown[]; hashes: unknown[] }[];
  dependencies: { ref: string; dependsOn: string[] }[];
};

/**
 * The packages of the browser's files and of the Worker as CycloneDX 1.6, with licences and hashes. npm writes 1.5, of
 * which 1.6 is a superset, and calls the project by its folder. Its `--omit dev` also leaves out what development
 * packages depend on as well, React for one, so all are asked for, and those chosen that are shipped.
 */
export function billOfMaterials() {
  const { status, stdout, stderr } = npm("sbom --sbom-format cyclonedx --omit optional");
  if (status !== 0) throw new Error(`npm sbom failed; it needs npm 9.7 or newer.\n${stderr.trim()}`);
  const bill = JSON.parse(stdout) as Bill;
  const { name } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { name: string };
  bill.$schema = "http://cyclonedx.org/schema/bom-1.6.schema.json";
  bill.specVersion = "1.6";
  bill.metadata.component.name = name;
  const shipped = new Set(shippedPackages().map((found) => `${found.name}@${found.version}`));
  const isShipped = (ref: string) => shipped.has(ref) || ref === bill.metadata.component["bom-ref"];
  bill.components = bill.components.filter((component) => isShipped(component["bom-ref"]));
  bill.dependencies = bill.dependencies
    .filter(({ ref }) => isShipped(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isShipped) }));
  return bill;
}

/** Writes the bill and returns its file. */
export function writeBill(file = BILL) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(billOfMaterials(), null, 2)}\n`);
  return file;
}
