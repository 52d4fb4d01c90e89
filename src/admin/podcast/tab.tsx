import { Outlet } from "react-router";
import { LIBRARY } from "../files/library/describe-file.ts";
import { requireTab } from "../shell/guard.ts";
import { PEOPLE } from "./people/save.ts";
import { SubTabs } from "../lists/sub-tabs.tsx";

export const middleware = requireTab("podcast");

/** The Podcast tab: its episodes, the podcast itself, its people, and the files of the site. */
export default function PodcastTab() {
  return (
    <>
      <SubTabs
        label="Podcast"
        links={[
          { to: "/admin/podcast", label: "Episodes" },
          { to: "/admin/podcast/show", label: "The podcast" },
          { to: PEOPLE, label: "People" },
          { to: LIBRARY, label: "Files" },
        ]}
      />
      <Outlet />
    </>
  );
}
