import { join } from "node:path";
import { build } from "./local.ts";
import { deploy } from "./deployment.ts";
import { Stopped } from "./deployment-plan.ts";
import { root } from "./tools.ts";

try {
  await deploy({
    args: process.argv.slice(2),
    build,
    folder: join(root, "build", "server"),
    answersFile: join(root, ".deploy.json"),
  });
} catch (error) {
  console.error(error instanceof Stopped ? `\n${error.message}` : error);
  console.error("Then run npm run deploy again: what is done is found, and nothing is done twice.");
  process.exit(1);
}
