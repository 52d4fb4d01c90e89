import { api, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatLongDate } from "#site/ui/format.ts";
import type { Denied } from "#worker/accounts/contract.ts";
import { readDenial } from "#worker/accounts/link-queries.ts";
import { mailDestinationOf } from "#worker/mail/providers.ts";
import { Form, Submit } from "../form/form.tsx";
import { submit } from "../form/submit.ts";
import { z } from "../shell/zod.ts";
import { RESET } from "./paths.ts";
import { MAIL_NOTES, Screen, signedOutWords } from "./screen.tsx";
import type { Route } from "./+types/not-me";

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const link = await readDenial(ctx, url.searchParams.get("token") ?? "");
  return { link, mailDestination: mailDestinationOf(ctx) };
}

/** Opening the link changes nothing: mail scanners open every link, some in a real browser. */
export async function clientAction({ request }: Route.ClientActionArgs) {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  return submit(await request.formData(), {
    fields: {},
    schema: z.object({}),
    words: signedOutWords("That didn’t work. Please try again."),
    async send() {
      const { email, remaining } = await readJson(api["not-me"].$post({ json: { token } }));
      return { doneFor: email, remaining };
    },
  });
}

export default function NotMe({ loaderData: { link, mailDestination }, actionData }: Route.ComponentProps) {
  if (actionData && "doneFor" in actionData)
    return (
      <Screen
        title="Every device is signed out"
        text={`The password no longer works. All API tokens are revoked. A passkey, an authenticator app or recovery codes added in the last seven days are removed. We sent a link to choose a new password to ${actionData.doneFor}. It works once, for 1 hour.${MAIL_NOTES[mailDestination]}`}
      >
        <Remaining {...actionData.remaining} />
      </Screen>
    );
  if (link.state !== "ready")
    return (
      <Screen title="This link doesn’t work" text={link.message}>
        <ButtonRow className="mt-6">
          <ButtonLink tone="primary" to={RESET}>
            Reset password
          </ButtonLink>
        </ButtonRow>
      </Screen>
    );
  return (
    <Screen
      title="It was not you?"
      text={`Then someone else may know the password of ${link.email}. This signs out every device, and the password no longer works. API tokens, and passkeys, authenticator apps and recovery codes of the last seven days are removed. You get an email with a link to choose a new password.`}
    >
      <Form className="mt-6">
        <Submit tone="danger">Sign out everywhere</Submit>
      </Form>
    </Screen>
  );
}

/** Older passkeys and apps stay: a thief of the mailbox must not be able to remove them. */
function Remaining({ passkeys, appSince }: Denied["remaining"]) {
  if (passkeys.length === 0 && appSince === null) return null;
  return (
    <section aria-labelledby="remaining" className="mt-6 border-t border-rule pt-4 text-sm">
      <h2 id="remaining" className="font-semibold">
        Older, and not removed
      </h2>
      <ul className="my-2 divide-y divide-rule">
        {passkeys.map(({ name, createdAt }, at) => (
          <RemainingItem key={at} name={`Passkey “${name}”`} since={createdAt} />
        ))}
        {appSince !== null && <RemainingItem name="Authenticator app" since={appSince} />}
      </ul>
      <p className="text-muted">
        If one isn’t yours, sign in with the new password and remove it under Your account.
      </p>
    </section>
  );
}

const RemainingItem = ({ name, since }: { name: string; since: number }) => (
  <li className="py-2">
    <p className="font-medium wrap-anywhere">{name}</p>
    <p className="text-muted figures">
      Added <DateTime at={since} format={formatLongDate} />
    </p>
  </li>
);
