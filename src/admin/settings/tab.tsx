import { Outlet } from "react-router";
import { titled } from "../titled.ts";

export const meta = titled("Settings");

export default function SettingsTab() {
  return (
    <div className="grid gap-6">
      <h1 className="text-xl font-semibold">Settings</h1>
      <Outlet />
    </div>
  );
}
