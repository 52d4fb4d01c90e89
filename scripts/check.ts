import { run, runNode } from "./tools.ts";

async function checkText() {
  await run("oxfmt", ["--check"]);
  await runNode("scripts/lint.ts");
}

/** Alone: the linter opens these files, which are missing for a moment while they are written. */
async function generateTypes() {
  await run("wrangler", ["types", "--strict-vars=false"], { env: { CI: "true" } });
  await run("react-router", ["typegen"], { packageName: "@react-router/dev" });
}

// Each checker of several would work out the same types, and that takes most of the time.
const checkTypes = () => run("tsc", ["--noEmit", "--checkers", "1"], { packageName: "typescript" });

await generateTypes();
// Both to their end: neither is left running when the other fails.
const results = await Promise.allSettled([checkText(), checkTypes()]);
const failures = results.flatMap((result) =>
  result.status === "rejected" ? [result.reason as unknown] : [],
);
if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join("\n"));
