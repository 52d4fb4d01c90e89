import { siteContext } from "#site/context.ts";
import { readEnquiryLink } from "#worker/enquiries/confirmation.ts";
import type { EnquiryKind } from "#worker/enquiries/contract.ts";
import type { Route } from "./+types/confirm.ts";
import { orErrorResponse } from "../loader.server.ts";
import { home, LinkAction, personal, Screen, unlisted } from "../newsletter/link-page.tsx";
import { PageError } from "../page-error.tsx";

export const headers = personal;

export async function loader({ context, url }: Route.LoaderArgs) {
  const token = url.searchParams.get("token") ?? "";
  return {
    token,
    link: await orErrorResponse(readEnquiryLink(context.get(siteContext), token)),
    /** The result for a browser without scripts, which is redirected here. */
    isConfirmed: url.searchParams.has("confirmed"),
  };
}

export const meta = unlisted;

const names: Record<EnquiryKind, string> = {
  application: "application",
  message: "message",
  booking: "request",
};

/** Only the button confirms: mail scanners open every link, some in a whole browser. */
export default function ConfirmEnquiry({ loaderData: { token, link, isConfirmed } }: Route.ComponentProps) {
  if (isConfirmed) return <Confirmed />;
  if (link.state === "invalid") return <Refused message={link.message} />;
  const name = names[link.kind];
  return (
    <LinkAction
      action="/api/enquiries/confirm"
      token={token}
      title={`Confirm your ${name}`}
      text={`It was sent from ${link.email}. We’ll read it once you confirm it.`}
      button={`Confirm ${name}`}
      working={`Confirming your ${name}`}
      failure="It couldn’t be confirmed. Please try again."
      done={<Confirmed />}
      Refused={Refused}
    />
  );
}

const Confirmed = () => (
  <Screen title="We’ve got it" text="Thank you. We’ll read it soon." ways={[home]} isGood />
);

const Refused = ({ message }: { message: string }) => (
  <Screen title="This link doesn’t work" text={message} ways={[home]} />
);

export const ErrorBoundary = () => <PageError title="It couldn’t be confirmed. Please try again later." />;
