import { Link } from "#site/document/link.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import type { MissingFactor } from "./guard.ts";

/** On each page, until a user whose role needs a second factor has one. */
export const FactorNotice = ({ dueAt, isDue }: MissingFactor) => (
  <section
    aria-label="Second factor"
    className="mb-6 grid justify-items-start gap-1 rounded-md border border-signal bg-raised p-4"
  >
    <p className="font-medium">
      {isDue ? (
        "Only your account is open to you until you set up a second factor."
      ) : (
        <span>
          Set up a second factor by <DateTime at={dueAt} format={formatDateTime} />
        </span>
      )}
    </p>
    <p className="text-muted">
      {isDue
        ? "Your role needs one on this site. Once you have it, everything you could do is back."
        : "Your role needs one on this site. After that, only your account is open to you until you have it."}
    </p>
    <Link to="/admin/account#second-factor" className="link">
      Set one up: an authenticator app, or a passkey
    </Link>
  </section>
);
