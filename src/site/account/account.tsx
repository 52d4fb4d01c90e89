import { useRef, useState } from "react";
import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime, formatLongDate } from "#site/ui/format.ts";
import type { MemberAccount } from "#worker/members/contract.ts";
import type { JoinOffer } from "#worker/payments/contract.ts";
import type { TopicOffer } from "#worker/topics/contract.ts";
import { choiceIn, TopicChoice } from "../newsletter/topic-choice.tsx";
import { Action } from "./action.tsx";
import { Join } from "./join.tsx";
import { PasskeysSection } from "./passkeys-section.tsx";
import { PrivateFeed } from "./private-feed.tsx";
import { Section } from "./section.tsx";
import type { AccountActions } from "./use-account.ts";

type Props = { account: MemberAccount; offers: JoinOffer[] } & AccountActions;

/** What a signed-in member sees. */
export const Account = ({ account, offers, ...actions }: Props) => (
  <>
    <Membership {...account.membership} managePayments={actions.managePayments} />
    {account.membership.state === "ended" && offers.length > 0 && (
      <Join offers={offers} join={actions.join} />
    )}
    <Letters {...account.letters} {...actions} />
    <PasskeysSection email={account.email} passkeys={account.passkeys} {...actions} />
    {account.feed && (
      <PrivateFeed {...account.feed} makeFeed={actions.makeFeed} deleteFeed={actions.deleteFeed} />
    )}
    <Devices devices={account.devices} {...actions} />
    <OwnData {...actions} />
  </>
);

type MembershipProps = MemberAccount["membership"] & Pick<AccountActions, "managePayments">;

function Membership({ tier, description, price, managePayments, ...membership }: MembershipProps) {
  return (
    <Section title="Membership">
      <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <span dir="auto" className="text-lg font-medium wrap-anywhere">
          {tier}
        </span>
        {price && membership.source !== "free" && <span className="text-muted">{price}</span>}
      </p>
      <p>
        <Standing {...membership} />
      </p>
      {description && (
        <p dir="auto" className="font-reading text-base whitespace-pre-line wrap-anywhere">
          {description}
        </p>
      )}
      {membership.source === "stripe" && (
        <>
          <Action act={managePayments}>Manage payments</Action>
          <p className="text-sm text-muted">Your card, receipts and the end of the payments, at Stripe.</p>
        </>
      )}
    </Section>
  );
}

type StandingProps = Pick<MemberAccount["membership"], "state" | "since" | "until">;

function Standing({ state, since, until }: StandingProps) {
  if (state === "ended" && until !== null) return <On words="Your membership ended on " at={until} />;
  if (state === "upcoming") return <On words="Your membership begins on " at={since} />;
  return (
    <>
      <On
        words={
          state === "free" ? "You have been a member without payment since " : "You have been a member since "
        }
        at={since}
      />
      {until !== null && <On words=". It ends on " at={until} />}
    </>
  );
}

const On = ({ words, at }: { words: string; at: number }) => (
  <>
    <span>{words}</span>
    <DateTime at={at} format={formatLongDate} />
  </>
);

const letterWords: Record<MemberAccount["letters"]["state"], string> = {
  on: "You get our letters at this address.",
  paused: "Our letters to this address are paused.",
  off: "You get no letters from us.",
  blocked: "A letter to this address was marked as spam, so it gets no more.",
};

type LettersProps = MemberAccount["letters"] & Pick<AccountActions, "chooseLetters" | "chooseTopics">;

function Letters({ state, consent, offer, chooseLetters, chooseTopics }: LettersProps) {
  const isSubscribed = state === "on" || state === "paused";
  return (
    <Section title="Letters">
      <p role="status">{letterWords[state]}</p>
      {offer && offer.topics.length > 0 && <Topics offer={offer} chooseTopics={chooseTopics} />}
      {isSubscribed && <Action act={() => chooseLetters(false)}>Stop letters</Action>}
      {consent !== null && (
        <>
          <Action act={() => chooseLetters(true)}>Get letters</Action>
          <p className="text-sm text-muted">{consent}</p>
        </>
      )}
    </Section>
  );
}

type TopicsProps = { offer: TopicOffer } & Pick<AccountActions, "chooseTopics">;

function Topics({ offer, chooseTopics }: TopicsProps) {
  const form = useRef<HTMLFormElement>(null);
  const [done, setDone] = useState("");
  const save = async () => {
    setDone("");
    const failure = await chooseTopics(choiceIn(new FormData(form.current!)));
    if (failure === null) setDone("Your choice is saved.");
    return failure;
  };
  return (
    <form ref={form} className="grid gap-5" onSubmit={(event) => event.preventDefault()}>
      <TopicChoice {...offer} />
      <Action act={save}>Save choice</Action>
      <p role="status">{done}</p>
    </form>
  );
}

type DevicesProps = Pick<MemberAccount, "devices"> &
  Pick<AccountActions, "endDevice" | "signOut" | "signOutEverywhere">;

const Devices = ({ devices, endDevice, signOut, signOutEverywhere }: DevicesProps) => (
  <Section title="Signed in">
    <ul>
      {devices.map(({ id, device, isCurrent, seenAt }) => (
        <li
          key={id}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-rule py-2 first:border-t-0"
        >
          <span>
            <span>{device}</span>
            <span className="block text-sm text-muted">
              {isCurrent ? "This device" : <DateTime at={seenAt} format={formatDateTime} />}
            </span>
          </span>
          {!isCurrent && (
            <Action size="sm" aria-label={`Sign out ${device}`} act={() => endDevice(id)}>
              Sign out
            </Action>
          )}
        </li>
      ))}
    </ul>
    <ButtonRow>
      <Action act={signOut}>Sign out here</Action>
      <Action act={signOutEverywhere}>Sign out everywhere</Action>
    </ButtonRow>
  </Section>
);

const OwnData = ({ deleteAccount }: Pick<AccountActions, "deleteAccount">) => (
  <Section title="Your data">
    <p className="text-muted">
      What we store about your membership, your letters and your comments, as a file. For the messages that
      you sent us, ask us.
    </p>
    <ButtonRow>
      <ButtonLink to="/api/member/data" reloadDocument download>
        Download your data
      </ButtonLink>
    </ButtonRow>
    <details className="w-full max-w-xl border-t border-rule pt-6">
      <summary className="cursor-pointer font-medium">Delete your account</summary>
      <div className="mt-3 grid gap-3 text-muted">
        <p>
          We delete your membership with its passkeys and sign-ins, and when and how you subscribed to
          letters. It can’t be undone. Comments and messages that you sent us stay.
        </p>
        <p>
          This also forgets that you unsubscribed: if your address is added from another list, letters may
          start again.
        </p>
        <Action tone="danger" act={deleteAccount}>
          Delete your account
        </Action>
      </div>
    </details>
  </Section>
);
