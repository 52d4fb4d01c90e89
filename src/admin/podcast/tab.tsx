import { Outlet } from "react-router";
import { requireTab } from "../guard.ts";
import { SubTabs } from "../sub-tabs.tsx";

export const middleware = requireTab("podcast");

/** The Podcast tab: its episodes, and the podcast itself. */
export default function PodcastTab() {
  return (
    <>
      <SubTabs
        label="Podcast"
        links={[
          { to: "/admin/podcast", label: "Episodes", exact: true },
          { to: "/admin/podcast/show", label: "The podcast" },
        ]}
      />
      <Outlet />
    </>
  );
}
