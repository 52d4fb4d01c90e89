import { Outlet } from "react-router";
import { requireTab } from "../shell/guard.ts";
import { SubTabs } from "../lists/sub-tabs.tsx";
import { pageTitle } from "../shell/page-title.ts";
import { siteContext } from "#site/context.ts";
import { isAllowed } from "#worker/access/capabilities.ts";
import type { Route } from "./+types/tab";

export const middleware = requireTab("settings");

export const meta = pageTitle("Settings");

export function loader({ context }: Route.LoaderArgs) {
  return { mayRestore: isAllowed("restore", context.get(siteContext)) };
}

export default function SettingsTab({ loaderData: { mayRestore } }: Route.ComponentProps) {
  return (
    <>
      <SubTabs
        label="Settings"
        links={[
          { to: "/admin/settings/general", label: "General" },
          { to: "/admin/settings/email", also: "/admin/settings/mails", label: "Email" },
          { to: "/admin/settings/features", label: "Features" },
          { to: "/admin/settings/transcripts", label: "Transcripts" },
          { to: "/admin/settings/payments", label: "Payments" },
          { to: "/admin/settings/security", label: "Security" },
          { to: "/admin/settings/webhooks", label: "Webhooks" },
          { to: "/admin/settings/programs", label: "Programs" },
          { to: "/admin/settings/export", label: "Export" },
          ...(mayRestore ? [{ to: "/admin/settings/restore", label: "Restore" }] : []),
          { to: "/admin/settings/system", label: "System" },
        ]}
      />
      <h1 className="mb-4 text-xl font-semibold">Settings</h1>
      <Outlet />
    </>
  );
}
