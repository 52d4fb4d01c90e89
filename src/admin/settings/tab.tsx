import { Outlet } from "react-router";
import { needs } from "../guard.ts";
import { SubTabs } from "../sub-tabs.tsx";
import { titled } from "../titled.ts";

export const middleware = needs("settings");

export const meta = titled("Settings");

export default function SettingsTab() {
  return (
    <>
      <h1 className="mb-4 text-xl font-semibold">Settings</h1>
      <SubTabs
        label="Settings"
        links={[
          { to: "/admin/settings/email", label: "Email" },
          { to: "/admin/settings/security", label: "Security" },
        ]}
      />
      <Outlet />
    </>
  );
}
