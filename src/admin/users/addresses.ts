import { dialogPaths } from "../lists/dialog-address.ts";

export const userPaths = dialogPaths("/admin/users");
export const { listPath, addPath, editPath } = userPaths;

export const RESET_FACTOR = "reset-factor";
