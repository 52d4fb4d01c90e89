import { useState, type FormEvent } from "react";
import { Button } from "#site/ui/button.tsx";
import { Checkbox } from "#site/ui/controls.tsx";
import { TextField } from "#site/ui/field.tsx";
import { counted } from "#site/ui/format.ts";
import { placeNames } from "#worker/imports/importers/contract.ts";
import { Link } from "#site/document/link.tsx";
import { MOVE, moveOf } from "../podcast/move-facts.ts";
import { countsByStatus, Groups, PlanView } from "../wizard/plan-view.tsx";
import { comingOf, isHere, joinedOf, kindOf, statusOf, type Choice, type Plan } from "./choice.ts";
import type { Source } from "./export.ts";
import { changesOf, PlanRows, Remarks } from "./plan-rows.tsx";
import type { ExportChoice } from "./work.ts";

type Props = {
  source: Source;
  plan: Plan;
  error: string | null;
  /** Null if the user may not import subscribers. */
  onList: ((list: File) => void) | null;
  onRun: (chosen: ExportChoice) => void;
  onCancel: () => void;
};

/** The plan of an export, with the choice of what to import. Nothing has been imported yet. */
export function ExportPlanView({ source, plan, error, onList, onRun, onCancel }: Props) {
  const [choice, setChoice] = useState<Choice>(FIRST_CHOICE);
  const [siteError, setSiteError] = useState<string | null>(null);
  const coming = comingOf(plan, choice);
  const joined = joinedOf(plan, choice);
  const set = (change: Partial<Choice>) => setChoice({ ...choice, ...change });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const field = event.currentTarget.elements.namedItem("site") as HTMLInputElement | null;
    const siteUrl = field ? siteOf(field.value) : plan.siteUrl;
    const isMissing = field && siteUrl === null && (source.needsSite || field.value.trim() !== "");
    setSiteError(isMissing ? "Enter the address of the old site, such as https://blog.example.com." : null);
    if (isMissing) field.focus();
    else onRun({ choice, siteUrl });
  };
  const leftOut = [...plan.leftOut].map(([what, group]) => ({ what, ...group }));
  const redirects = [...coming, ...joined].flatMap(({ addresses }) => addresses).length;
  return (
    <PlanView
      title={`What’s in this export from ${placeNames[source.place]}`}
      about={`${source.fileName}. Nothing has been imported yet.`}
      figures={[
        ["Articles to import", coming.length],
        ["Already here", plan.rows.filter(isHere).length],
        ["Pictures", plan.pictures],
        ["Old addresses kept", redirects],
        ["Left out", leftOut.reduce((sum, { count }) => sum + count, 0)],
      ]}
      error={error}
      action={actionOf(coming.length, joined.length)}
      onRun={submit}
      another="Choose another export"
      onCancel={onCancel}
      sections={
        <>
          {source.lists.length > 0 && <Lists lists={source.lists} onList={onList} />}
          <Groups id="changes" title="What changes on the way" groups={changesOf(coming)} />
          <PlanRows rows={plan.rows} choice={choice} />
          <Groups id="left-out" title="Left out" groups={leftOut} />
        </>
      }
    >
      <Choices plan={plan} choice={choice} onChange={set} />
      <Episodes plan={plan} />
      <JoinedEpisodes plan={plan} choice={choice} onChange={set} />
      <StateOfComing plan={plan} choice={choice} onChange={set} />
      {plan.siteUrl === null && (
        <TextField
          label="Address of the old site"
          name="site"
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder={source.place === "substack" ? "https://name.substack.com" : "https://blog.example.com"}
          maxLength={500}
          required={source.needsSite}
          error={siteError}
          help={siteHelp(source)}
        />
      )}
      <Remarks plan={plan} />
    </PlanView>
  );
}

function actionOf(coming: number, joined: number) {
  if (coming > 0) return `Import ${counted(coming, "article")}`;
  if (joined === 0) return null;
  return `Keep the old ${joined === 1 ? "address" : "addresses"} of ${counted(joined, "episode")}`;
}

function siteHelp({ needsSite, place }: Source) {
  const links = "links between your posts point to their new addresses";
  if (needsSite) return `The export doesn’t include it. Pictures are fetched from there, and ${links}.`;
  const readers = place === "substack" ? ", and feed readers don’t show your posts as new" : "";
  return `The export doesn’t include it. With it, ${links}${readers}.`;
}

/** The address of a site without the slash at its end; null if it is invalid. */
function siteOf(typed: string) {
  const text = typed.trim();
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  return url && url.hostname.includes(".") ? url.origin + url.pathname.replace(/\/+$/, "") : null;
}

const kinds = [
  ["posts", "Posts, published and scheduled, with their dates"],
  ["drafts", "Drafts, and posts that weren’t public"],
  ["pages", "Pages, as draft articles"],
  ["episodes", "Episodes of the podcast, as articles too, without their audio"],
] as const;

/** Without episodes: they are imported by their feed, so that none exists twice. */
const FIRST_CHOICE: Choice = { posts: true, drafts: true, pages: false, episodes: false, asDrafts: false };

type ChoicesProps = { plan: Plan; choice: Choice; onChange: (change: Partial<Choice>) => void };

const Choices = ({ plan, choice, onChange }: ChoicesProps) => (
  <fieldset className="grid gap-2">
    <legend className="mb-1.5 text-sm font-medium">What will be imported</legend>
    {kinds.map(([name, label]) => {
      const count = plan.rows.filter((row) => kindOf(row) === name).length;
      if (name === "episodes" && count === 0) return null;
      return (
        <Checkbox
          key={name}
          label={`${label} (${count.toLocaleString("en")})`}
          checked={choice[name] === true && count > 0}
          disabled={count === 0}
          onChange={({ currentTarget }) => onChange({ [name]: currentTarget.checked })}
        />
      );
    })}
  </fieldset>
);

/** A link to the import by feed, because the export has no audio of its episodes. */
function Episodes({ plan: { rows } }: { plan: Plan }) {
  const episodes = rows.filter((row) => row.audio !== null && !isHere(row));
  const feed = episodes.find(({ audio }) => audio?.feed)?.audio?.feed;
  if (episodes.length === 0) return null;
  return (
    <p>
      <span>{`${counted(episodes.length, "post")} ${episodes.length === 1 ? "is an episode" : "are episodes"} of a podcast. The export doesn’t have the audio; the podcast’s feed does. `}</span>
      <Link to={feed ? moveOf(feed) : MOVE} className="link">
        Import the podcast from its feed
      </Link>
    </p>
  );
}

/** Posts that are episodes here: their old addresses redirect to the episodes. */
function JoinedEpisodes({ plan, choice, onChange }: ChoicesProps) {
  const count = joinedOf(plan, { ...choice, joined: true }).length;
  if (count === 0) return null;
  return (
    <Checkbox
      label={
        count === 1
          ? "Redirect the old address of a post that is an episode here"
          : `Redirect the old addresses of ${count.toLocaleString("en")} posts that are episodes here`
      }
      help="They lead to the episodes. The posts don’t become articles."
      checked={choice.joined !== false}
      onChange={({ currentTarget }) => onChange({ joined: currentTarget.checked })}
    />
  );
}

/** The statuses of the articles after the import, and the switch that imports all of them as drafts. */
function StateOfComing({ plan, choice, onChange }: ChoicesProps) {
  const coming = comingOf(plan, choice);
  if (coming.length === 0) return null;
  const words = countsByStatus(coming.map((row) => statusOf(row, choice)));
  return (
    <div className="grid gap-2">
      <p>{`Arriving: ${words}.`}</p>
      <Checkbox
        label="Import all of them as drafts"
        help="They keep their dates for when you publish them."
        checked={choice.asDrafts === true}
        onChange={({ currentTarget }) => onChange({ asDrafts: currentTarget.checked })}
      />
    </div>
  );
}

const Lists = ({ lists, onList }: { lists: File[]; onList: Props["onList"] }) => (
  <section aria-labelledby="subscribers" className="grid max-w-3xl gap-3">
    <h2 id="subscribers" className="text-lg font-semibold">
      Subscribers
    </h2>
    <p className="text-muted">
      They’re imported with their status and sign-up date. Anyone who unsubscribed stays unsubscribed. You say
      how they agreed to get letters.
    </p>
    <ul className="border-t border-rule">
      {lists.map((list) => (
        <li
          key={list.name}
          className="flex flex-wrap items-center justify-between gap-3 border-b border-rule py-3"
        >
          <span className="min-w-0 wrap-anywhere">{list.name}</span>
          {onList ? (
            <Button size="sm" onClick={() => onList(list)} aria-label={`Review the list ${list.name}`}>
              Review the list
            </Button>
          ) : (
            <span className="text-sm text-muted">Your role can’t import subscribers.</span>
          )}
        </li>
      ))}
    </ul>
  </section>
);
