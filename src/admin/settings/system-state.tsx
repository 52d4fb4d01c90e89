import type { ReactNode } from "react";
import { Link } from "#site/document/link.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime, grouped } from "#site/ui/format.ts";
import { COUNTED_FAILURES, type SiteState } from "#worker/system/contract.ts";
import { FormSection } from "../form/section.tsx";

/** How the site itself is, and what to do if something is wrong. */
export const StateSection = (state: SiteState) => (
  <FormSection title="This site">
    <dl className="grid gap-4">
      <LastRun {...state} />
      <Waiting {...state.waiting} />
      <Failed {...state.failed} />
      <Row name="Files">
        {state.files.count === 0
          ? "None yet."
          : `${countOf(state.files.count, "file")}, ${megabytes(state.files.bytes)}, without the smaller copies of pictures.`}
      </Row>
      <KeySecret {...state.keys} />
      <Row name="Version">
        <code className="wrap-anywhere">{state.version}</code>
      </Row>
      {state.migration && (
        <Row name="Database">
          <span>Migrated up to </span>
          <code className="wrap-anywhere">{state.migration}</code>
        </Row>
      )}
    </dl>
  </FormSection>
);

const Row = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="grid gap-1">
    <dt className="font-medium">{name}</dt>
    <dd className="text-sm text-muted">{children}</dd>
  </div>
);

const LastRun = ({ lastRun, isRunLate }: Pick<SiteState, "lastRun" | "isRunLate">) => (
  <Row name="Work of each minute">
    {lastRun ? (
      <>
        <span>Last run: </span>
        <DateTime at={lastRun} format={formatDateTime} />
      </>
    ) : (
      <span>It hasn’t run yet.</span>
    )}
    {isRunLate && (
      <p className="mt-1 text-danger">
        Scheduled items aren’t published, and failed emails aren’t retried. A new site’s first run can take a
        quarter of an hour. Otherwise look at the Worker’s Cron Triggers in the Cloudflare dashboard, or set
        them with <code className="whitespace-nowrap">npm run deploy</code>.
      </p>
    )}
  </Row>
);

const Waiting = ({ count, oldest }: SiteState["waiting"]) => (
  <Row name="Waiting to be sent">
    {oldest === null ? (
      "Nothing."
    ) : (
      <>
        <span>{`${countOf(count, "email")} or other ${count === 1 ? "delivery" : "deliveries"}, since `}</span>
        <DateTime at={oldest} format={formatDateTime} />
      </>
    )}
  </Row>
);

const Failed = ({ count, emails }: SiteState["failed"]) => (
  <Row name="Failed deliveries">
    {count === 0 ? (
      "None."
    ) : (
      <span className="text-danger">
        <span>{`${upTo(count)}, of them ${upTo(emails)} ${emails === 1 ? "email" : "emails"}. `}</span>
        <Link to="/admin/settings/failures" className="link">
          Try again or dismiss
        </Link>
      </span>
    )}
  </Row>
);

const KeySecret = ({ isEncrypted, isTooShort, unreadable }: SiteState["keys"]) => (
  <Row name="Secrets in the database">
    <span>
      {isEncrypted
        ? "Encrypted by the deployment’s KEY_SECRET."
        : "Not encrypted: the deployment has no KEY_SECRET. npm run deploy makes one."}
    </span>
    {isTooShort && (
      <p className="mt-1 text-danger">
        <span>A KEY_SECRET has fewer than 32 characters and isn’t used. Set a random one with </span>
        <code className="wrap-anywhere">npx wrangler secret put KEY_SECRET</code>
        <span>.</span>
      </p>
    )}
    {unreadable > 0 && (
      <p className="mt-1 text-danger">
        <span>
          {`${countOf(unreadable, "secret")} can’t be read, because KEY_SECRET is missing or another one. Some sessions, links, authenticator apps or webhooks don’t work. Set the former secret again, after the new one and a comma: `}
        </span>
        <code className="wrap-anywhere">npx wrangler secret put KEY_SECRET</code>
      </p>
    )}
  </Row>
);

/** More are not counted. */
const upTo = (count: number) => `${grouped(count)}${count === COUNTED_FAILURES ? " or more" : ""}`;

const countOf = (count: number, noun: string) => `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;

export const megabytes = (bytes: number) => `${grouped(Math.max(1, Math.round(bytes / 1e6)))} MB`;
