import { Outlet } from "react-router";
import { requireTab } from "../shell/guard.ts";
import { SubTabs } from "../lists/sub-tabs.tsx";
import { pageTitle } from "../shell/page-title.ts";

export const middleware = requireTab("settings");

export const meta = pageTitle("Settings");

export default function SettingsTab() {
  return (
    <>
      <SubTabs
        label="Settings"
        links={[
          { to: "/admin/settings/general", label: "General" },
          { to: "/admin/settings/email", also: "/admin/settings/mails", label: "Email" },
          { to: "/admin/settings/features", label: "Features" },
          { to: "/admin/settings/security", label: "Security" },
          { to: "/admin/settings/export", label: "Export" },
          { to: "/admin/settings/system", label: "System" },
        ]}
      />
      <h1 className="mb-4 text-xl font-semibold">Settings</h1>
      <Outlet />
    </>
  );
}
