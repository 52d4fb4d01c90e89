import { NavLink } from "#site/document/link.tsx";

type SubTab = {
  to: string;
  label: string;
  /** Where another link's address begins with this one. */
  exact?: boolean;
  /** How much waits there for the owner. */
  waiting?: number;
};

type Props = {
  /** The name of the tab. */
  label: string;
  links: SubTab[];
};

/** The links between the pages of one tab. */
export const SubTabs = ({ label, links }: Props) => (
  <nav aria-label={label} className="mb-6 flex flex-wrap gap-x-6 text-sm">
    {links.map(({ to, label: name, exact, waiting = 0 }) => (
      <NavLink key={to} to={to} end={exact} className={linkClass}>
        <span>
          <span>{name}</span>
          {waiting > 0 && <Waiting count={waiting} />}
        </span>
      </NavLink>
    ))}
  </nav>
);

const Waiting = ({ count }: { count: number }) => (
  <span className="ml-1.5 inline-block rounded-sm border border-signal px-1 text-sm leading-4 font-medium text-signal figures">
    <span>{count}</span>
    <span className="sr-only"> waiting</span>
  </span>
);

const linkClass = ({ isActive }: { isActive: boolean }) =>
  `inline-flex min-h-8 items-center whitespace-nowrap underline-offset-8 ${isActive ? "font-semibold underline" : "text-muted hover:text-ink"}`;
