import { build } from "./local.ts";
import { runNode } from "./tools.ts";

/** `npm run soak`, `fuzz`, `letters`, `move`, `linkedin`, `drill`, `archive` and `free-plan`: builds, then loads the built Worker. */
await build();
await runNode(`test/load/${process.argv[2]}.ts`);
