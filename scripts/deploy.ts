import { join } from "node:path";
import { writeBill } from "./bill-of-materials.ts";
import { build } from "./local.ts";
import { deploy, returnToPrevious } from "./deployment.ts";
import { Stopped } from "./deployment-plan.ts";
import { root } from "./tools.ts";

const args = process.argv.slice(2);
const isBack = args.includes("--back");
/** The site, with its licences in /licenses.txt, and the bill of its materials. */
const release = async () => {
  await build();
  writeBill();
};
const files = { answersFile: join(root, ".deploy.json"), backFile: join(root, ".deploy-back.json") };

try {
  if (isBack) await returnToPrevious(files);
  else await deploy({ args, build: release, folder: join(root, "build", "server"), ...files });
} catch (error) {
  console.error(error instanceof Stopped ? `\n${error.message}` : error);
  if (!isBack) console.error("Then run npm run deploy again. It continues where it stopped.");
  process.exit(1);
}
