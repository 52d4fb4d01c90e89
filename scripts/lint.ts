import { run } from "./tools.ts";

await run("oxlint", ["--deny-warnings"]);
await run("depcruise", ["--output-type", "err-long", "src", "worker"], { packageName: "dependency-cruiser" });
