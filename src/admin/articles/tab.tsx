import { Outlet } from "react-router";
import { requireTab } from "../shell/guard.ts";
import { SubTabs } from "../lists/sub-tabs.tsx";

export const middleware = requireTab("articles");

export default function ArticlesTab() {
  return (
    <>
      <SubTabs
        label="Articles"
        links={[
          { to: "/admin/articles", label: "Articles" },
          { to: "/admin/articles/linkedin", label: "LinkedIn Import" },
          { to: "/admin/articles/elsewhere", label: "Import" },
          { to: "/admin/articles/categories", label: "Categories" },
          { to: "/admin/articles/update", label: "Update Content" },
          { to: "/admin/articles/pages", label: "Pages" },
        ]}
      />
      <Outlet />
    </>
  );
}
