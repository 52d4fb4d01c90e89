import { dialogPaths } from "../dialog-address.ts";

export const engagementPaths = dialogPaths("/admin/speaking");
