import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** The files of a built Worker's modules. */
export const moduleFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(m?js|wasm)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));

/** Bytes of a built Worker, gzipped as wrangler measures it: all modules as one. */
export const gzippedBytes = (folder: string) =>
  gzipSync(Buffer.concat(moduleFiles(folder).map((file) => readFileSync(file)))).byteLength;
