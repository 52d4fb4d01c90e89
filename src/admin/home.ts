import { redirect } from "react-router";

/** Articles is the tab that the admin area opens with. */
export const loader = () => redirect("/admin/articles");
