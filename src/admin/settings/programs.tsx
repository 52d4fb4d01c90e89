import { useActionData, useNavigation } from "react-router";
import { siteContext } from "#site/context.ts";
import { Badge } from "#site/ui/badge.tsx";
import { ButtonRow } from "#site/ui/button.tsx";
import { Checkbox } from "#site/ui/controls.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime, formatLongDate } from "#site/ui/format.ts";
import type { Scope } from "#worker/access/contract.ts";
import { TOKEN_DAYS, type ApiToken } from "#worker/accounts/contract.ts";
import { listTokens } from "#worker/accounts/token-queries.ts";
import { Options, SelectField, TextField } from "../form/fields.tsx";
import { Form, Submit } from "../form/form.tsx";
import { useFormResult } from "../form/result.ts";
import { FormSection } from "../form/section.tsx";
import { ConfirmAction } from "../lists/confirm-action.tsx";
import { RemovableRows } from "../lists/removable-rows.tsx";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { MAKE_TOKEN, REVOKE_TOKEN, saveToken } from "./save-token.ts";
import { madeIn, SecretNotice } from "./secret-notice.tsx";
import type { Route } from "./+types/programs";

export const meta = pageTitle("Programs");

export const loader = async ({ context }: Route.LoaderArgs) =>
  (await load(listTokens(context.get(siteContext)))).items;

export const clientAction = ({ request }: Route.ClientActionArgs) => saveToken(request);

/** API tokens, by which programs work with the site. */
export default function Programs({ loaderData: tokens }: Route.ComponentProps) {
  return (
    <>
      <NewToken />
      <Tokens tokens={tokens} />
    </>
  );
}

const expiries = [
  ...TOKEN_DAYS.map((days) => [days, days === 365 ? "In a year" : `In ${days} days`] as const),
  ["", "Never"] as const,
];

function NewToken() {
  return (
    <FormSection
      title="New token"
      help="A program sends it with each request, and may then do what you allow here, at most what your own role may. It can’t change settings, users or tokens."
    >
      <Made />
      <Form intent={MAKE_TOKEN} clearWhenSaved className="grid gap-6">
        <TextField
          name="name"
          label="Name"
          required
          maxLength={60}
          autoComplete="off"
          help="The program, or where it runs. The security events name it."
        />
        <Scopes />
        <SelectField
          name="days"
          label="Expires"
          defaultValue={90}
          className="max-w-60"
          help="It stops working then."
        >
          <Options of={expiries} />
        </SelectField>
        <ButtonRow>
          <Submit>Make token</Submit>
        </ButtonRow>
      </Form>
    </FormSection>
  );
}

const scopeNames: Record<Scope, string> = {
  "public:read": "Read what is public",
  "drafts:read": "Read drafts and files",
  "articles:write": "Read and write articles",
  "episodes:write": "Read and write episodes, and upload files",
  publish: "Publish, schedule and withdraw",
  "letters:write": "Write letters",
  "letters:send": "Send letters",
  subscribers: "Read and change subscribers",
  enquiries: "Read and sort enquiries",
  figures: "Read the figures",
};

/** The scopes as the form shows them. */
const scopeGroups: { title: string; scopes: Scope[] }[] = [
  { title: "Read", scopes: ["public:read", "drafts:read", "figures"] },
  { title: "Write drafts", scopes: ["articles:write", "episodes:write", "letters:write"] },
  { title: "Make public", scopes: ["publish", "letters:send"] },
  { title: "People’s data", scopes: ["subscribers", "enquiries"] },
];

function Scopes() {
  const error = useFormResult(MAKE_TOKEN)?.errors?.fields["scopes"];
  return (
    <fieldset
      className="grid gap-4"
      data-invalid={error ? "" : undefined}
      tabIndex={error ? -1 : undefined}
      aria-describedby={error ? "scopes-error" : undefined}
    >
      <legend className="mb-2 text-sm font-medium">What it may do</legend>
      {/* An error is shown here also if no box is checked. */}
      <input type="hidden" name="scopes" value="" />
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        {scopeGroups.map(({ title, scopes }) => (
          <div key={title} role="group" aria-label={title} className="grid content-start gap-2">
            <p aria-hidden className="text-sm text-muted">
              {title}
            </p>
            {scopes.map((scope) => (
              <Checkbox key={scope} name="scopes" value={scope} label={scopeNames[scope]} />
            ))}
          </div>
        ))}
      </div>
      {error && (
        <p id="scopes-error" className="text-sm font-medium text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}

function Made() {
  const made = madeIn<{ name: string; secret: string }>(useActionData());
  if (!made) return null;
  const { name, secret } = made;
  return (
    <SecretNotice
      key={secret}
      label="Token"
      secret={secret}
      about={
        <>
          <bdi className="font-medium">{name}</bdi>
          <span> is ready. Its token is shown this once.</span>
        </>
      }
    />
  );
}

const Tokens = ({ tokens }: { tokens: ApiToken[] }) => (
  <FormSection
    title="Tokens"
    help="Revoke one that isn’t used any more, or that others may have seen. Its program is refused from then on."
  >
    <RemovableRows label="Tokens" empty="No program has a token yet.">
      {tokens.map((token) => (
        <TokenRow key={token.id} token={token} />
      ))}
    </RemovableRows>
  </FormSection>
);

const TokenRow = ({ token }: { token: ApiToken }) => (
  <li className="grid gap-x-4 gap-y-2 py-3 first:pt-0 sm:grid-cols-[1fr_auto]">
    <div className="grid min-w-0 content-start gap-0.5">
      <p className="flex flex-wrap items-center gap-x-2 font-medium wrap-anywhere">
        <bdi>{token.name}</bdi>
        {token.isExpired && <Badge tone="signal">Expired</Badge>}
      </p>
      {!token.isYours && <p className="text-sm wrap-anywhere text-muted">{`Of ${token.owner}`}</p>}
      <p className="text-sm text-muted">{token.scopes.map((scope) => scopeNames[scope]).join(" · ")}</p>
      <p className="text-sm text-muted figures">
        {token.lastUsedAt === null ? (
          <span>Not used yet</span>
        ) : (
          <span>
            Last used <DateTime at={token.lastUsedAt} format={formatDateTime} />
          </span>
        )}
      </p>
      <p className="text-sm text-muted figures">
        Made <DateTime at={token.createdAt} format={formatLongDate} />
        {", "}
        {token.expiresAt === null ? (
          <span>doesn’t expire</span>
        ) : (
          <span>
            <span>{token.isExpired ? "expired " : "expires "}</span>
            <DateTime at={token.expiresAt} format={formatLongDate} />
          </span>
        )}
      </p>
    </div>
    <Revoke token={token} />
  </li>
);

function Revoke({ token: { id, name } }: { token: ApiToken }) {
  const sent = useNavigation().formData;
  const isBusy = sent?.get("intent") === REVOKE_TOKEN && sent.get("id") === id;
  return (
    <div>
      <ConfirmAction
        intent={REVOKE_TOKEN}
        label="Revoke"
        name={name}
        title="Revoke this token?"
        confirm="Revoke token"
        dismiss="Keep it"
        tone="danger"
        size="sm"
        busy={isBusy}
        values={{ id, name }}
      >
        The program that uses <bdi>{name}</bdi> is refused from now on. This can’t be undone.
      </ConfirmAction>
    </div>
  );
}
