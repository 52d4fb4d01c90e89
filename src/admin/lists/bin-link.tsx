import { Link } from "#site/document/link.tsx";

export const BIN = "/admin/bin";

/** Below a list whose items can be restored. */
export const BinLink = () => (
  <p className="mt-8 text-sm text-muted print:hidden">
    <span>What you delete here stays in the </span>
    <Link to={BIN} className="link">
      bin
    </Link>
    <span> for 30 days.</span>
  </p>
);
