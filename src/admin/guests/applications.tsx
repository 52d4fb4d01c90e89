import { useState } from "react";
import { useSearchParams } from "react-router";
import { siteContext } from "#site/context.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { listEnquiries, readGuest } from "#worker/enquiries/owner/queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { FROM_LIST } from "../lists/dialog-address.ts";
import { errorPage } from "../shell/error-page.tsx";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { AddGuestDialog } from "./add-guest-dialog.tsx";
import { ApplicationCard } from "./application-card.tsx";
import { draftOf } from "./draft.ts";
import { listChoices } from "./episode-choices.server.ts";
import { EpisodeDialog } from "./guest-form.tsx";
import { ListFrame } from "./list-frame.tsx";
import { MailDialog, useMailDialog } from "./mail-dialog.tsx";
import { guestPaths, kinds } from "./enquiry-kinds.ts";
import { enquiryQueryOf } from "./query.ts";
import { saveEnquiry, type Decided } from "./save.ts";
import type { Route } from "./+types/applications";

export const meta = pageTitle("Guest Applications");

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const { listed, ...query } = enquiryQueryOf("application", url.searchParams);
  const [list, chosen] = await Promise.all([
    load(listEnquiries(ctx, "application", listed)),
    readChosen(ctx, url.searchParams.get("edit")),
  ]);
  return { ...query, ...list, chosen };
}

/** The guest in the address to add to an episode, and the episodes to choose from. */
async function readChosen(ctx: Context, id: string | null) {
  if (id === null) return null;
  const [{ name }, episodes] = await load(Promise.all([readGuest(ctx, Number(id)), listChoices(ctx)]));
  return { id: Number(id), name, episodes };
}

export const clientAction = ({ request }: Route.ClientActionArgs) => saveEnquiry("application", request);

export default function Applications({ loaderData, actionData }: Route.ComponentProps) {
  const { chosen, ...list } = loaderData;
  const [params] = useSearchParams();
  const { written, write, close } = useMailDialog();
  const items = useItems(loaderData, actionData);
  return (
    <>
      <ListFrame
        kind="application"
        {...list}
        items={items}
        action={
          <ButtonLink to={guestPaths.addPath(params)} state={FROM_LIST} preventScrollReset>
            Add a guest
          </ButtonLink>
        }
      >
        {items.map((application) => (
          <ApplicationCard
            key={application.id}
            application={application}
            onWrite={() => write(draftOf("application", application))}
          />
        ))}
      </ListFrame>
      <MailDialog written={written} close={close} />
      <AddGuestDialog isOpen={params.has("add")} />
      <EpisodeDialog chosen={chosen} />
    </>
  );
}

type Data = Route.ComponentProps["loaderData"];

/**
 * The list, with applicants approved since it was opened: they stay among the pending ones, with the offer to add them
 * to an episode.
 */
function useItems({ box, q, before, items }: Data, answer: Route.ComponentProps["actionData"]) {
  const list = JSON.stringify([box, q, before]);
  const [approved, setApproved] = useState<{ list: string; items: Data["items"] }>({ list, items: [] });
  const decided = answer && "decided" in answer ? (answer as Decided).decided : undefined;
  const isNew = decided?.box === "approved" && approved.items.every(({ id }) => id !== decided.id);
  const kept = approved.list === list ? approved.items : [];
  if (isNew || approved.list !== list) setApproved({ list, items: isNew ? [...kept, decided] : kept });
  const gone = kept.filter(({ id }) => items.every((item) => item.id !== id));
  return box === "pending" ? [...items, ...gone].toSorted((a, b) => b.id - a.id) : items;
}

export const ErrorBoundary = errorPage(kinds.application.failed);
