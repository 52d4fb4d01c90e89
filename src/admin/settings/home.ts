import { redirect } from "react-router";

/** Redirects to the first sub-tab. */
export const loader = () => redirect("/admin/settings/general");

/** A component makes this a page route, so that an error is rendered as a page. */
export default function SettingsHome() {
  return null;
}
