import { Link } from "#site/document/link.tsx";

export const quietLink = "inline-flex min-h-8 items-center underline-offset-4 hover:underline";

/** The ways back to the public site, which the specification names both. */
export const SiteLinks = () => (
  <>
    <Link to="/" className={quietLink}>
      Back to Site
    </Link>
    <Link to="/" className={quietLink}>
      Home
    </Link>
  </>
);
