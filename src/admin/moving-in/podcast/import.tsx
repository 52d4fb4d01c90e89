import { redirect } from "react-router";
import { api, ensureOk, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { ItemListQuery } from "#worker/imports/contract.ts";
import { TakenFacts } from "#worker/imports/feed/contract.ts";
import { readFeedDetails } from "#worker/imports/feed/queries.ts";
import { listItems, readImport } from "#worker/imports/import-queries.ts";
import { readUndo } from "#worker/imports/undo.ts";
import { FEED_PATH, readShowForEdit } from "#worker/episodes/show-queries.ts";
import { checkedValues } from "../../form/read.ts";
import { act, intentOf, submit } from "../../form/submit.ts";
import { actOnImport } from "../act-on-import.ts";
import { ImportPage } from "../import-page.tsx";
import { movedEpisodes } from "../queued.ts";
import { listQueryOf } from "../../lists/list-filters.tsx";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { Comparison } from "./comparison.tsx";
import { FactsForm } from "./facts-form.tsx";
import { MOVE } from "./move-facts.ts";
import { OldHost } from "./old-host.tsx";
import { PlanView } from "./plan-view.tsx";
import type { Route } from "./+types/import";

export const meta = pageTitle(movedEpisodes.title);

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const id = Number(params.id);
  const query = listQueryOf(url.searchParams, ItemListQuery, "episodes");
  const [progress, items, details, show, undo] = await load(
    Promise.all([
      readImport(ctx, id),
      listItems(ctx, id, query),
      readFeedDetails(ctx, id),
      readShowForEdit(ctx),
      readUndo(ctx, id),
    ]),
  );
  const feedUrl = `${ctx.config.siteUrl}${FEED_PATH}`;
  return { progress, items, query, undo, ...details, hasShow: show !== null, feedUrl };
}

export async function clientAction({ request, params: { id } }: Route.ClientActionArgs) {
  const form = await request.formData();
  const param = { id };
  switch (intentOf(form)) {
    case "show":
      return submit(form, {
        fields: { facts: checkedValues },
        schema: TakenFacts,
        async send(json) {
          await ensureOk(api.imports[":id"].show.$post({ param, json }));
          return "Podcast updated successfully!";
        },
      });
    case "compare":
      return act(form, async () => {
        await readJson(api.imports[":id"].comparison.$post({ param }));
        return "The feeds are compared";
      });
    case "delete":
      return act(form, async () => {
        await ensureOk(api.imports[":id"].$delete({ param }));
        return redirect(MOVE);
      });
    default:
      return actOnImport(form, id);
  }
}

/** The import of a feed: its plan, then its progress, then the remaining steps at the old host. */
export default function FeedImport({ loaderData }: Route.ComponentProps) {
  const { progress, items, query, undo, plan, comparison, hasShow, feedUrl, source } = loaderData;
  const { id, state, undoneAt } = progress;
  return (
    <ImportPage
      source={movedEpisodes}
      title={plan.facts.title ?? "A podcast"}
      about={source}
      progress={progress}
      items={items}
      query={query}
      undo={undo}
      open={<PlanView path={`${MOVE}/${id}`} plan={plan} items={items} query={query} />}
    >
      <FactsForm facts={plan.facts} hasShow={hasShow} />
      {(state === "done" || state === "cancelled") && undoneAt === null && (
        <>
          <Comparison comparison={comparison ?? null} />
          <OldHost feedUrl={feedUrl} />
        </>
      )}
    </ImportPage>
  );
}
