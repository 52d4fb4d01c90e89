import { Outlet } from "react-router";
import { needs } from "../guard.ts";
import { SubTabs } from "../sub-tabs.tsx";

export const middleware = needs("podcast");

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
