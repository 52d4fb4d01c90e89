import { relative } from "node:path";
import { writeBill } from "./bill-of-materials.ts";

console.log(`Wrote ${relative(process.cwd(), writeBill())}`);
