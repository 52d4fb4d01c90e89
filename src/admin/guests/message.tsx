import { siteContext } from "#site/context.ts";
import { messageTypeNames } from "#worker/enquiries/limits.ts";
import { readEnquiry } from "#worker/enquiries/owner/queries.ts";
import { errorPage } from "../shell/error-page.tsx";
import { load } from "../shell/load.server.ts";
import { EnquiryPage } from "./enquiry-page.tsx";
import { Fact } from "./parts.tsx";
import { saveEnquiry } from "./save.ts";
import type { Route } from "./+types/message";

export const meta = ({ loaderData }: Route.MetaArgs) => [
  { title: `${loaderData?.title ?? "Message"} · Admin` },
];

export const loader = ({ context, params }: Route.LoaderArgs) =>
  load(readEnquiry(context.get(siteContext), "message", Number(params.id)));

export const clientAction = ({ request }: Route.ClientActionArgs) => saveEnquiry("message", request);

export default function MessagePage({ loaderData: message }: Route.ComponentProps) {
  return (
    <EnquiryPage
      kind="message"
      enquiry={message}
      facts={<Fact name="About">{messageTypeNames[message.fields.type]}</Fact>}
    />
  );
}

export const ErrorBoundary = errorPage();
