import { run, runNode } from "./tools.ts";

/** The quick part: what needs no server. */
await run("prettier", ["--check", "--log-level", "warn", "."]);
await runNode("scripts/lint.ts");
await run("wrangler", ["types", "--strict-vars=false"], { env: { CI: "true" } });
await run("react-router", ["typegen"], { packageName: "@react-router/dev" });
await run("tsc", ["--noEmit"], { packageName: "typescript" });
