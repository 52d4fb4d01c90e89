import { NavLink } from "#site/ui/link.tsx";

type Props = {
  /** The tab that they belong to. */
  label: string;
  /** `exact` where the address of another begins with this one's. */
  links: { to: string; label: string; exact?: boolean }[];
};

/** What a tab is divided into. */
export const SubTabs = ({ label, links }: Props) => (
  <nav aria-label={label} className="mb-6 flex gap-6 text-sm">
    {links.map(({ to, label: name, exact }) => (
      <NavLink key={to} to={to} end={exact} className={linkClass}>
        {name}
      </NavLink>
    ))}
  </nav>
);

const linkClass = ({ isActive }: { isActive: boolean }) =>
  `inline-flex min-h-8 items-center underline-offset-8 ${isActive ? "font-semibold underline" : "text-muted hover:text-ink"}`;
