import { dialogPaths } from "../lists/dialog-address.ts";

export const engagementPaths = dialogPaths("/admin/speaking");
