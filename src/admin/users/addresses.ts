import { dialogPaths } from "../dialog-address.ts";

export const userPaths = dialogPaths("/admin/users", "after");
export const { listPath, addPath, editPath } = userPaths;
