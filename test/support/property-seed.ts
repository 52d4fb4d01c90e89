import * as fc from "fast-check";
import { sweepsAll } from "./sweeps.ts";

/** `npm test` draws the same inputs in each run, so that a red run is about the change; `npm run test:full` draws new ones. */
if (!sweepsAll) fc.configureGlobal({ seed: 20_261_128 });
