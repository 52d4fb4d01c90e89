import * as fc from "fast-check";

/** `npm test` draws the same inputs in each run, so that a red run is about the change; `npm run test:full` draws new ones. */
if (process.env["SWEEPS"] !== "all") fc.configureGlobal({ seed: 20_261_128 });
