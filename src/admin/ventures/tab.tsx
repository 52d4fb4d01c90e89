import { Outlet } from "react-router";
import { requireTab } from "../shell/guard.ts";

export const middleware = requireTab("ventures");

/** The Ventures tab: the list, and a form for each of them. */
export default Outlet;
