import { useState } from "react";
import { useNavigation } from "react-router";
import { siteContext } from "#site/context.ts";
import { Link } from "#site/document/link.tsx";
import { Badge } from "#site/ui/badge.tsx";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatLongDate } from "#site/ui/format.ts";
import type { Member } from "#worker/members/contract.ts";
import { readMember } from "#worker/members/owner-queries.ts";
import { listTiers } from "#worker/members/tier-queries.ts";
import { DateTimeField } from "../../form/date-time-field.tsx";
import { Options, SelectField, TextField } from "../../form/fields.tsx";
import { PageForm } from "../../form/form.tsx";
import { NEW } from "../../form/new-item.ts";
import { FormSection } from "../../form/section.tsx";
import { intentOf } from "../../form/submit.ts";
import { ConfirmAction } from "../../lists/confirm-action.tsx";
import { errorPage } from "../../shell/error-page.tsx";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { DeleteMemberDialog } from "./delete-dialog.tsx";
import { LIST, sourceNames, stateNames, stateTones } from "./member-words.ts";
import {
  addMember,
  deleteMember,
  END,
  endMember,
  REVOKE_FEED,
  revokeMemberFeed,
  updateMember,
} from "./save.ts";
import type { Route } from "./+types/member";

const UNTITLED = "Add member";

export const meta = ({ loaderData }: Route.MetaArgs) => pageTitle(loaderData?.member?.email ?? UNTITLED)();

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [member, tiers] = await load(
    Promise.all([id === NEW ? null : readMember(ctx, Number(id)), listTiers(ctx)]),
  );
  return { member, tiers: tiers.items, now: ctx.now.getTime() };
}

export async function clientAction({ request, params: { id } }: Route.ClientActionArgs) {
  const form = await request.formData();
  if (id === NEW) return addMember(form);
  if (intentOf(form) === END) return endMember(form, id);
  if (intentOf(form) === REVOKE_FEED) return revokeMemberFeed(form, id);
  return intentOf(form) === "delete" ? deleteMember(form) : updateMember(form, id);
}

export default function MemberPage({
  loaderData: { member, tiers, now },
  params: { id },
}: Route.ComponentProps) {
  return (
    <>
      <Link to={LIST} className="link mb-4 inline-block text-sm">
        All members
      </Link>
      <header className="mb-6 grid justify-items-start gap-3">
        <h1 className="text-xl font-semibold wrap-anywhere">{member?.email ?? UNTITLED}</h1>
        {member && <Badge tone={stateTones[member.state]}>{stateNames[member.state]}</Badge>}
      </header>
      <PageForm key={id} basedOn={member?.updatedAt} submit={member ? "Save" : UNTITLED} cancelTo={LIST}>
        {!member && (
          <FormSection
            title="Person"
            help="They get no email about it, and no letters: those need their own consent, under Subscribers."
          >
            <TextField label="Email" name="email" type="email" required maxLength={400} autoComplete="off" />
          </FormSection>
        )}
        <FormSection title="Membership">
          <SelectField label="Tier" name="tierId" defaultValue={member?.tierId ?? tiers[0]?.id}>
            <Options of={tiers.map((tier) => [tier.id, tier.name] as const)} />
          </SelectField>
          <SelectField
            label="Payment"
            name="source"
            defaultValue={member?.source ?? "by-hand"}
            help="Added by hand: they pay you in another way. Without payment: guests, the press and friends. By card: tier and dates follow the payments at Stripe, and can’t be changed here."
          >
            <Options of={sourcesFor(member)} />
          </SelectField>
          <DateTimeField label="Since" name="since" value={member?.since ?? now} />
          <DateTimeField
            label="Until"
            name="until"
            value={member?.until ?? null}
            help="Leave blank for no end."
          />
        </FormSection>
      </PageForm>
      {member && member.feedMadeAt !== null && <PrivateFeed madeAt={member.feedMadeAt} />}
      {member && <Ending member={member} />}
    </>
  );
}

/** Only payments make a member pay by card. */
const sourcesFor = (member: Member | null) =>
  Object.entries(sourceNames).filter(([source]) => source !== "stripe" || member?.source === "stripe");

/** Shown while the member has one. Its address is the member's alone. */
function PrivateFeed({ madeAt }: { madeAt: number }) {
  const { formData } = useNavigation();
  return (
    <section aria-labelledby="private-feed" className="mt-8 grid justify-items-start gap-3">
      <h2 id="private-feed" className="text-lg font-semibold">
        Private feed
      </h2>
      <p>
        <span>The member made its address on </span>
        <DateTime at={madeAt} format={formatLongDate} />
      </p>
      <ConfirmAction
        intent={REVOKE_FEED}
        label="Revoke feed"
        title="Revoke this private feed?"
        confirm="Revoke feed"
        busy={formData?.get("intent") === REVOKE_FEED}
      >
        Its address stops working within a minute, in every app that has it. The membership continues, and the
        member can make another address.
      </ConfirmAction>
    </section>
  );
}

/** What ends a membership, now or for good. */
function Ending({ member }: { member: Member }) {
  const [isAsked, setAsked] = useState(false);
  const { formData } = useNavigation();
  return (
    <>
      {member.state !== "ended" && member.source === "stripe" && (
        <p className="mt-8 text-muted">
          This membership is paid by card. To end it, cancel its subscription at Stripe.
        </p>
      )}
      <ButtonRow className="mt-8">
        {member.state !== "ended" && member.source !== "stripe" && (
          <ConfirmAction
            intent={END}
            label="End now"
            title="End this membership now?"
            confirm="End now"
            busy={formData?.get("intent") === END}
          >
            They stay in the list as a former member. To let it continue, change the date of its end.
          </ConfirmAction>
        )}
        <Button tone="danger" onClick={() => setAsked(true)}>
          Delete
        </Button>
      </ButtonRow>
      <DeleteMemberDialog member={isAsked ? member : null} onClose={() => setAsked(false)} goesTo="list" />
    </>
  );
}

export const ErrorBoundary = errorPage("Failed to fetch this member");
