import { Outlet } from "react-router";
import { requireTab } from "../guard.ts";
import { SubTabs } from "../sub-tabs.tsx";

export const middleware = requireTab("newsletter");

/** The Newsletter tab: letters and who gets them. */
export default function NewsletterTab() {
  return (
    <>
      <SubTabs
        label="Newsletter"
        links={[
          { to: "/admin/newsletter", label: "Letters", exact: true },
          { to: "/admin/newsletter/subscribers", label: "Subscribers" },
        ]}
      />
      <Outlet />
    </>
  );
}
