import { useState } from "react";
import { copyLink } from "#site/shell/copy-link.ts";
import { useToast } from "#site/shell/toast.ts";
import { Button, buttonClass, ButtonRow } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { TextField } from "#site/ui/field.tsx";
import { formatLongDate } from "#site/ui/format.ts";
import type { MemberFeed } from "#worker/members/contract.ts";
import { Action } from "./action.tsx";
import { Section } from "./section.tsx";
import type { AccountActions } from "./use-account.ts";

type Props = MemberFeed & Pick<AccountActions, "makeFeed" | "deleteFeed">;

/** The member's own address of the podcast's feed: made, copied, opened in an app, replaced and deleted. */
export function PrivateFeed({ isOpen, madeAt, url, makeFeed, deleteFeed }: Props) {
  const [done, setDone] = useState("");
  const acting = (act: () => Promise<string | null>, words: string) => async () => {
    const failure = await act();
    setDone(failure === null ? words : "");
    return failure;
  };
  const make = acting(makeFeed, "The address is made. Add it to your podcast app.");
  return (
    <Section title="Private feed">
      <p role="status">{done}</p>
      {!isOpen && <p>Your membership isn’t active, so your private feed is closed.</p>}
      {isOpen && madeAt === null && (
        <>
          <p className="text-muted">
            An address of the podcast’s feed that is yours alone, for the podcast app of your choice.
          </p>
          <Action act={make}>Make an address</Action>
        </>
      )}
      {isOpen && madeAt !== null && url === null && (
        <p>Your address works, but it can’t be shown again. Replace it to see a new one.</p>
      )}
      {isOpen && url !== null && <Address url={url} />}
      {madeAt !== null && (
        <>
          <p className="text-sm text-muted">
            <span>Made on </span>
            <DateTime at={madeAt} format={formatLongDate} />
          </p>
          <details className="border-t border-rule pt-6">
            <summary className="cursor-pointer font-medium">Replace or delete the address</summary>
            <div className="mt-3 grid gap-3 text-muted">
              <p>
                The address that you have now stops working within a minute, in every app that has it. Use
                this if others have it.
              </p>
              <ButtonRow>
                {isOpen && (
                  <Action act={acting(makeFeed, "The address is replaced. Add the new one to your app.")}>
                    Replace the address
                  </Action>
                )}
                <Action tone="danger" act={acting(deleteFeed, "The address is deleted.")}>
                  Delete the address
                </Action>
              </ButtonRow>
            </div>
          </details>
        </>
      )}
    </Section>
  );
}

function Address({ url }: { url: string }) {
  const say = useToast();
  return (
    <>
      <TextField
        label="Your address"
        value={url}
        readOnly
        help="Keep it to yourself: it opens the feed without a password."
        onFocus={(event) => event.currentTarget.select()}
      />
      <ButtonRow>
        <Button tone="primary" onClick={() => void copyLink(url, say)}>
          Copy address
        </Button>
        {apps.map(({ name, linkOf }) => (
          <a key={name} href={linkOf(url)} className={buttonClass({})}>
            {name}
          </a>
        ))}
      </ButtonRow>
      <details>
        <summary className="cursor-pointer font-medium">QR code for your phone</summary>
        <img
          src="/api/member/feed/qr.svg"
          alt="QR code of your address"
          width={240}
          height={240}
          loading="lazy"
          className="mt-3"
        />
      </details>
    </>
  );
}

const withoutScheme = (url: string) => url.replace(/^https?:\/\//, "");

/** Apps that take an address with a link of their own scheme. Of those that ask for it by plain HTTP first, none. */
const apps = [
  { name: "Apple Podcasts", linkOf: (url: string) => `podcast://${withoutScheme(url)}` },
  {
    name: "Overcast",
    linkOf: (url: string) => `overcast://x-callback-url/add?url=${encodeURIComponent(url)}`,
  },
  { name: "Pocket Casts", linkOf: (url: string) => `pktc://subscribe/${withoutScheme(url)}` },
  { name: "Castro", linkOf: (url: string) => `castros://subscribe/${withoutScheme(url)}` },
];
