import { ButtonRow } from "#site/ui/button.tsx";
import type { ImportedItem, ItemListQuery } from "#worker/imports/contract.ts";
import type { FeedPlan } from "#worker/imports/feed/contract.ts";
import { formatSize } from "../../files/format.ts";
import { ActionButton } from "../../form/form.tsx";
import { ItemList } from "../../imports/item-list.tsx";

type Props = {
  path: string;
  plan: FeedPlan;
  items: { items: ImportedItem[]; next: string | null };
  query: ItemListQuery;
};

/** What will come, and what will not, before anything moves. */
export const PlanView = ({ path, plan, items, query }: Props) => (
  <>
    <section aria-labelledby="plan" className="grid gap-5">
      <h2 id="plan" className="text-lg font-semibold">
        What will be imported
      </h2>
      <Figures plan={plan} />
      <Problems problems={plan.problems} />
      <ButtonRow>
        {plan.counts.episodes > 0 && (
          <ActionButton
            intent="start"
            tone="primary"
          >{`Move ${inEpisodes(plan.counts.episodes)} here`}</ActionButton>
        )}
        <ActionButton intent="delete">Discard</ActionButton>
      </ButtonRow>
    </section>
    <ItemList {...items} path={path} query={query} state="open" noun="episodes" />
  </>
);

const inEpisodes = (count: number) => `${count.toLocaleString("en")} ${count === 1 ? "episode" : "episodes"}`;

function Figures({ plan: { counts, bytes } }: { plan: FeedPlan }) {
  const about = counts.withoutSize > 0 ? "at least " : "";
  const figures: [string, string][] = [
    ["New episodes", counts.episodes.toLocaleString("en")],
    ["Audio", bytes > 0 ? about + formatSize(bytes) : "Unknown"],
    ["Here already", counts.isHere.toLocaleString("en")],
    ["Left out", counts.leftOut.toLocaleString("en")],
    ["With chapters", counts.chapters.toLocaleString("en")],
    ["With a transcript", counts.transcripts.toLocaleString("en")],
    ["With a picture", counts.pictures.toLocaleString("en")],
  ];
  return (
    <dl className="grid grid-cols-2 gap-x-8 gap-y-4 border-y border-rule py-4 sm:grid-cols-4">
      {figures.map(([name, figure]) => (
        <div key={name} className="grid content-start">
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="text-lg font-medium figures">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

function Problems({ problems }: Pick<FeedPlan, "problems">) {
  if (problems.length === 0) return <p className="text-sm text-muted">Nothing is missing.</p>;
  return (
    <div className="grid max-w-2xl gap-2">
      <h3 className="font-medium">Missing, or refused by apps</h3>
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
