import { existsSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./tools.ts";

/** Wrangler's custom build (wrangler.toml). It asks for one to write types, too, which only need to find the entry. */
const isForTypes = process.env["WRANGLER_COMMAND"] === "types";
if (!isForTypes || !existsSync(join(root, "build", "server", "index.js")))
  await run("react-router", ["build"], { packageName: "@react-router/dev" });
