import { run } from "./tools.ts";

/** The quick part: what needs no server. */
await run("prettier", ["--check", "--log-level", "warn", "."]);
await run("oxlint", ["--deny-warnings"]);
await run("wrangler", ["types", "--strict-vars=false"], { env: { CI: "true" } });
await run("react-router", ["typegen"], { packageName: "@react-router/dev" });
await run("tsc", ["--noEmit"], { packageName: "typescript" });
