import { exceptions } from "./audit-exceptions.ts";
import { judgeAudit, readAudit } from "./audit-report.ts";
import { npm } from "./tools.ts";

/*
 * Asks the registry for known weaknesses of the packages that are shipped, and fails if one has neither a fix nor an
 * exception. Without a registry it warns and succeeds: the other parts of `npm run test:full` need no network.
 */
const audit = readAudit(npm("audit --omit=dev --json").stdout);
if ("unreachable" in audit) {
  console.warn(`The packages were NOT audited: the registry gave no advisories. ${audit.unreachable}`);
} else {
  const problems = judgeAudit(audit, exceptions, new Date().toISOString().slice(0, 10));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log("No shipped package has a known weakness without an exception.");
}
