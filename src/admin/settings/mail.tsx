import { useRef } from "react";
import { useRevalidator } from "react-router";
import { Link } from "#site/document/link.tsx";
import { siteContext } from "#site/context.ts";
import { formatDateTime } from "#site/ui/format.ts";
import { Button } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { readMail, type MailContent, type StoredMail } from "#worker/mail/log.ts";
import { onceConfirmed } from "../shell/once-confirmed.ts";
import { load } from "../shell/load.server.ts";
import { MailFrame } from "../publishing/mail-frame.tsx";
import { useWidthOf } from "../publishing/use-width-of.ts";
import { pageTitle } from "../shell/page-title.ts";
import { StateBadge } from "./state.tsx";
import type { Route } from "./+types/mail";

export const meta = pageTitle("Email");

/** Pixels. */
const WIDTH = 720;

export const loader = ({ context, params }: Route.LoaderArgs) =>
  load(readMail(context.get(siteContext), params.id));

export default function MailPage({ loaderData: mail }: Route.ComponentProps) {
  return (
    <article aria-labelledby="subject" className="grid grid-cols-1 gap-5">
      <Link to="/admin/settings/email" className="link justify-self-start text-sm">
        All emails
      </Link>
      <h2 id="subject" className="text-lg font-semibold wrap-anywhere">
        {mail.subject}
      </h2>
      <Particulars mail={mail} />
      {mail.content ? <Content {...mail.content} /> : <Hidden />}
    </article>
  );
}

/** Until the user has confirmed their identity. */
function Hidden() {
  const { revalidate } = useRevalidator();
  return (
    <div className="grid justify-items-start gap-4">
      <p>This email gives access to an account.</p>
      <Button onClick={() => void onceConfirmed(() => void revalidate())}>Show the email</Button>
    </div>
  );
}

function Content({ text, html, invitation, invitationFile }: MailContent) {
  const place = useRef<HTMLDivElement>(null);
  const room = useWidthOf(place);
  return (
    <>
      <section aria-labelledby="text" className="grid grid-cols-1 gap-2">
        <h3 id="text" className="text-sm font-medium">
          Text
        </h3>
        <pre className="max-w-3xl border-l-2 border-rule pl-4 font-sans whitespace-pre-wrap">
          {withLinks(text)}
        </pre>
      </section>
      <section aria-labelledby="html" className="grid grid-cols-1 gap-2">
        <h3 id="html" className="text-sm font-medium">
          As an email app shows it
        </h3>
        {/* Its border is around the email, which is no wider than a mail program's window. */}
        <div ref={place} className="box-content border border-rule" style={{ maxWidth: WIDTH }}>
          {room > 0 && <MailFrame title="The email’s HTML part" html={html} width={WIDTH} room={room} />}
        </div>
      </section>
      {invitation !== undefined && <Invitation text={invitation} file={invitationFile} />}
    </>
  );
}

const Invitation = ({ text, file }: { text: string; file: string | undefined }) => (
  <section aria-labelledby="invitation" className="grid gap-2">
    <h3 id="invitation" className="text-sm font-medium">
      {file === "cancellation.ics" ? "Recording cancellation" : "Recording invitation"}
    </h3>
    <pre className="max-w-3xl border-l-2 border-rule pl-4 text-sm break-all whitespace-pre-wrap">{text}</pre>
  </section>
);

const Particulars = ({ mail }: { mail: StoredMail }) => (
  <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1 text-sm [&_dd]:wrap-anywhere [&_dt]:text-muted">
    <dt>To</dt>
    <dd>{mail.to}</dd>
    <dt>State</dt>
    <dd>
      <StateBadge state={mail.state} />
      {mail.state === "failed" && (
        <Link to="/admin/settings/failures" className="link ml-3">
          Try again or dismiss
        </Link>
      )}
    </dd>
    <dt>Attempts</dt>
    <dd className="figures">{mail.attempts}</dd>
    {mail.lastError && (
      <>
        <dt>Last error</dt>
        <dd>{mail.lastError}</dd>
      </>
    )}
    <dt>Time</dt>
    <dd className="figures">
      <DateTime at={mail.createdAt} format={formatDateTime} />
    </dd>
  </dl>
);

/** Makes the links of a text part clickable. */
const withLinks = (text: string) =>
  text.split(/(https?:\/\/\S+)/).map((piece, index) =>
    index % 2 === 0 ? (
      piece
    ) : (
      <a key={index} href={piece} className="link break-all">
        {piece}
      </a>
    ),
  );
