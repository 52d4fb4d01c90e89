import { NavLink } from "#site/document/link.tsx";

type Props = {
  /** The name of the tab. */
  label: string;
  /** `exact` where another link's address begins with this one. */
  links: { to: string; label: string; exact?: boolean }[];
};

/** The links between the pages of one tab. */
export const SubTabs = ({ label, links }: Props) => (
  <nav aria-label={label} className="mb-6 flex flex-wrap gap-x-6 text-sm">
    {links.map(({ to, label: name, exact }) => (
      <NavLink key={to} to={to} end={exact} className={linkClass}>
        {name}
      </NavLink>
    ))}
  </nav>
);

const linkClass = ({ isActive }: { isActive: boolean }) =>
  `inline-flex min-h-8 items-center whitespace-nowrap underline-offset-8 ${isActive ? "font-semibold underline" : "text-muted hover:text-ink"}`;
