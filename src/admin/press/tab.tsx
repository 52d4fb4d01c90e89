import { Outlet } from "react-router";
import { requireTab } from "../guard.ts";
import { SubTabs } from "../sub-tabs.tsx";

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
