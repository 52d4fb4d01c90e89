import { Outlet } from "react-router";
import { requireTab } from "../shell/guard.ts";
import { SubTabs } from "../lists/sub-tabs.tsx";

export const middleware = requireTab("media");

/** The Media tab: media items, campaigns and social posts, each with a list and a form. */
export default function PressTab() {
  return (
    <>
      <SubTabs
        label="Media"
        links={[
          { to: "/admin/media", label: "Press" },
          { to: "/admin/media/campaigns", label: "Campaigns" },
          { to: "/admin/media/posts", label: "Social posts" },
        ]}
      />
      <Outlet />
    </>
  );
}
