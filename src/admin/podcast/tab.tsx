import { Outlet } from "react-router";
import { NavLink } from "#site/ui/link.tsx";

/** The Podcast tab: its episodes, and the podcast itself. */
export default function PodcastTab() {
  return (
    <>
      <nav aria-label="Podcast" className="mb-6 flex gap-6 text-sm">
        <NavLink to="/admin/podcast" end className={linkClass}>
          Episodes
        </NavLink>
        <NavLink to="/admin/podcast/show" className={linkClass}>
          The podcast
        </NavLink>
      </nav>
      <Outlet />
    </>
  );
}

const linkClass = ({ isActive }: { isActive: boolean }) =>
  `inline-flex min-h-8 items-center underline-offset-8 ${isActive ? "font-semibold underline" : "text-muted hover:text-ink"}`;
