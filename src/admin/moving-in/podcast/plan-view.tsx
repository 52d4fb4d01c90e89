import { useState } from "react";
import { ButtonRow } from "#site/ui/button.tsx";
import { Checkbox } from "#site/ui/controls.tsx";
import { counted } from "#site/ui/format.ts";
import type { ImportedItem, ItemListQuery } from "#worker/imports/contract.ts";
import type { FeedPlan, MissingPage } from "#worker/imports/feed/contract.ts";
import { formatSize } from "../../files/format.ts";
import { ActionButton } from "../../form/form.tsx";
import { ItemList } from "../item-list.tsx";
import { Figures, type Figure } from "../wizard/plan-view.tsx";

type Props = {
  path: string;
  plan: FeedPlan;
  items: { items: ImportedItem[]; next: string | null };
  query: ItemListQuery;
};

/** What will be imported and what will not, before the import starts. */
export const PlanView = ({ path, plan, items, query }: Props) => (
  <>
    <section aria-labelledby="plan" className="grid gap-5">
      <h2 id="plan" className="text-lg font-semibold">
        What will be imported
      </h2>
      <MissingPages pages={plan.missingPages ?? []} />
      <PlanFigures plan={plan} />
      <Problems problems={plan.problems} />
      <Start counts={plan.counts} />
    </section>
    <ItemList {...items} path={path} query={query} state="open" noun="episodes" />
  </>
);

/** Episodes keep the status of their feed, unless the owner wants drafts. */
function Start({ counts: { episodes, drafts = 0, scheduled = 0, articles = 0 } }: Pick<FeedPlan, "counts">) {
  const [asDrafts, setAsDrafts] = useState(false);
  const [joinsArticles, setJoinsArticles] = useState(true);
  const published = episodes - drafts - scheduled;
  const states = [
    ...(published > 0 ? [`${counted(published, "episode")} published`] : []),
    ...(scheduled > 0 ? [`${counted(scheduled, "episode")} scheduled`] : []),
    ...(drafts > 0 ? [`${counted(drafts, "episode")} as ${drafts === 1 ? "a draft" : "drafts"}`] : []),
  ];
  return (
    <>
      {episodes > 0 && (
        <Checkbox
          label="Import everything as drafts"
          help={
            asDrafts
              ? `${counted(episodes, "episode")} will arrive as ${episodes === 1 ? "a draft" : "drafts"}. Nothing is published before you publish it.`
              : `Otherwise they arrive as they are in the feed: ${states.join(", ")}.`
          }
          checked={asDrafts}
          onChange={({ currentTarget }) => setAsDrafts(currentTarget.checked)}
          className="max-w-2xl"
        />
      )}
      {articles > 0 && (
        <Checkbox
          label={`Join ${counted(articles, "episode")} with the ${articles === 1 ? "article that is its" : "articles that are their"} text`}
          help={
            joinsArticles
              ? `Once an episode is published, its article becomes a draft, and the article’s addresses lead to the episode.${asDrafts ? " As drafts, the episodes leave the articles as they are." : ""}`
              : "Both stay: the same text is here twice."
          }
          checked={joinsArticles}
          onChange={({ currentTarget }) => setJoinsArticles(currentTarget.checked)}
          className="max-w-2xl"
        />
      )}
      <ButtonRow>
        {episodes > 0 && (
          <ActionButton
            intent="start"
            values={{
              ...(asDrafts && { asDrafts: "on" }),
              ...(articles > 0 && joinsArticles && { joinsArticles: "on" }),
            }}
            tone="primary"
          >
            {`Move ${counted(episodes, "episode")} here`}
          </ActionButton>
        )}
        <ActionButton intent="delete">Discard</ActionButton>
      </ButtonRow>
    </>
  );
}

/** What the owner would not miss before it is too late. */
function MissingPages({ pages }: { pages: MissingPage[] }) {
  if (pages.length === 0) return null;
  return (
    <div role="note" className="grid max-w-2xl gap-1 border-l-4 border-signal pl-3 text-sm">
      <p className="font-medium">Part of the feed couldn’t be read</p>
      {pages.map(({ url, why }) => (
        <p key={url} className="wrap-anywhere">{`${url}: ${why}`}</p>
      ))}
      <p>
        Episodes on that page, and on those after it, aren’t in this plan. Import the others now, or discard
        the plan and read the feed again later: episodes that are here already aren’t imported twice.
      </p>
    </div>
  );
}

function PlanFigures({ plan: { counts, bytes } }: { plan: FeedPlan }) {
  const about = counts.withoutSize > 0 ? "at least " : "";
  const figures: Figure[] = [
    ["New episodes", counts.episodes],
    ["Audio", bytes > 0 ? about + formatSize(bytes) : "Unknown"],
    ...((counts.drafts ?? 0) > 0 ? [["As drafts", counts.drafts ?? 0] as const] : []),
    ["Here already", counts.isHere],
    ["Left out", counts.leftOut],
    ["With chapters", counts.chapters],
    ["With a transcript", counts.transcripts],
    ["With a picture", counts.pictures],
  ];
  return <Figures figures={figures} />;
}

function Problems({ problems }: Pick<FeedPlan, "problems">) {
  if (problems.length === 0) return <p className="text-sm text-muted">Nothing is missing.</p>;
  return (
    <div className="grid max-w-2xl gap-2">
      <h3 className="font-medium">What’s missing, left out or simplified</h3>
      <ul className="grid gap-1.5 text-sm">
        {problems.map(({ message, count }) => (
          <li key={message} className="grid grid-cols-[4rem_minmax(0,1fr)] gap-3 wrap-anywhere">
            <span className="text-right text-muted figures">{`${count.toLocaleString("en")} ×`}</span>
            <span>{message}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
