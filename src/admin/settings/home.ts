import { redirect } from "react-router";

/** The first of the tab's parts. */
export const loader = () => redirect("/admin/settings/email");

/** A page, so that a refusal is answered as one. */
export default function SettingsHome() {
  return null;
}
