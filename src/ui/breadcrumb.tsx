import { Link } from "#site/document/link.tsx";

type Crumb = { label: string; to: string };

/** The path from the home page; the last crumb is the current page. */
export function Breadcrumb({ crumbs, className }: { crumbs: Crumb[]; className?: string }) {
  return (
    <nav aria-label="Breadcrumb" className={className}>
      <ol className="crumbs facts text-sm text-muted">
        {crumbs.map(({ label, to }, position) => (
          <li key={to} className="min-w-0">
            {position === crumbs.length - 1 ? (
              <span aria-current="page" className="min-w-0 text-ink">
                {label}
              </span>
            ) : (
              <Link
                to={to}
                className="-my-0.5 inline-block py-0.5 underline-offset-4 hover:text-ink hover:underline"
              >
                {label}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
