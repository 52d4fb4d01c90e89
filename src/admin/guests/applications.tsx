import { siteContext } from "#site/context.ts";
import { listEnquiries } from "#worker/enquiries/owner/queries.ts";
import { ErrorPage } from "../error-page.tsx";
import { load } from "../load.server.ts";
import { pageTitle } from "../page-title.ts";
import { ApplicationCard } from "./application-card.tsx";
import { draftOf } from "./draft.ts";
import { ListFrame } from "./list-frame.tsx";
import { MailDialog, useMailDialog } from "./mail-dialog.tsx";
import { kinds } from "./names.ts";
import { enquiryQueryOf } from "./query.ts";
import { saveEnquiry } from "./save.ts";
import type { Route } from "./+types/applications";

export const meta = pageTitle("Guest Applications");

export async function loader({ context, url }: Route.LoaderArgs) {
  const { listed, ...query } = enquiryQueryOf("application", url.searchParams);
  return { ...query, ...(await load(listEnquiries(context.get(siteContext), "application", listed))) };
}

export const clientAction = ({ request }: Route.ClientActionArgs) => saveEnquiry("application", request);

export default function Applications({ loaderData: list }: Route.ComponentProps) {
  const { written, write, close } = useMailDialog();
  return (
    <>
      <ListFrame kind="application" {...list}>
        {list.items.map((application) => (
          <ApplicationCard
            key={application.id}
            application={application}
            onWrite={() => write(draftOf("application", application))}
          />
        ))}
      </ListFrame>
      <MailDialog written={written} close={close} />
    </>
  );
}

export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) => (
  <ErrorPage error={error} failed={kinds.application.failed} />
);
