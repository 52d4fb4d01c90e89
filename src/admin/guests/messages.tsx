import { siteContext } from "#site/context.ts";
import { messageTypeNames } from "#worker/enquiries/limits.ts";
import { listEnquiries } from "#worker/enquiries/owner/queries.ts";
import { errorPage } from "../shell/error-page.tsx";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { EnquiryRow } from "./enquiry-row.tsx";
import { ListFrame } from "./list-frame.tsx";
import { kinds } from "./enquiry-kinds.ts";
import { enquiryQueryOf } from "./query.ts";
import type { Route } from "./+types/messages";

export const meta = pageTitle("Messages");

export async function loader({ context, url }: Route.LoaderArgs) {
  const { listed, ...query } = enquiryQueryOf("message", url.searchParams);
  return { ...query, ...(await load(listEnquiries(context.get(siteContext), "message", listed))) };
}

export default function Messages({ loaderData: list }: Route.ComponentProps) {
  return (
    <ListFrame kind="message" {...list}>
      {list.items.map((message) => (
        <EnquiryRow key={message.id} kind="message" enquiry={message}>
          <span>{messageTypeNames[message.fields.type]}</span>
        </EnquiryRow>
      ))}
    </ListFrame>
  );
}

export const ErrorBoundary = errorPage(kinds.message.failed);
