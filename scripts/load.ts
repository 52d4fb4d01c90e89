import { build } from "./local.ts";
import { runNode } from "./tools.ts";

/** `npm run soak`, `fuzz`, `letters`, `move`, `linkedin`, `drill`, `transcribe`, `archive` and `free-plan`: builds, then loads the built Worker. */
await build();
const [name, ...given] = process.argv.slice(2);
await runNode([`test/load/${name}.ts`, ...given]);
