import { useEffect, useRef, useState, type FormEvent } from "react";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { Checkbox } from "#site/ui/controls.tsx";
import { TextField } from "#site/ui/field.tsx";
import { counted } from "#site/ui/format.ts";
import { placeNames } from "#worker/imports/elsewhere/contract.ts";
import type { Source } from "./export.ts";
import { comingOf, isChosen, type Choice, type Plan } from "./plan.ts";
import { LeftOut, PlanRows, Remarks } from "./plan-rows.tsx";

type Props = {
  source: Source;
  plan: Plan;
  error: string | null;
  /** Null for whoever may not import subscribers. */
  onList: ((list: File) => void) | null;
  onStart: (choice: Choice, siteUrl: string | null) => void;
  onCancel: () => void;
};

/** What would come of an export, and what of it is to come. Nothing has moved. */
export function PlanView({ source, plan, error, onList, onStart, onCancel }: Props) {
  const [choice, setChoice] = useState<Choice>({ posts: true, drafts: true, pages: false });
  const [siteError, setSiteError] = useState<string | null>(null);
  const coming = comingOf(plan, choice);
  const set = (change: Partial<Choice>) => setChoice({ ...choice, ...change });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const field = event.currentTarget.elements.namedItem("site") as HTMLInputElement | null;
    const siteUrl = field ? siteOf(field.value) : plan.siteUrl;
    const isMissing = field && siteUrl === null && (source.needsSite || field.value.trim() !== "");
    setSiteError(isMissing ? "Enter the address of the old site, such as https://blog.example.com." : null);
    if (isMissing) field.focus();
    else onStart(choice, siteUrl);
  };
  return (
    <div className="grid gap-10">
      <form noValidate onSubmit={submit} className="grid max-w-3xl gap-6">
        <Heading>{`What’s in this export from ${placeNames[source.place]}`}</Heading>
        <p className="-mt-5 text-sm text-muted wrap-anywhere">{`${source.fileName}. Nothing has been imported yet.`}</p>
        <Figures plan={plan} choice={choice} />
        <Choices plan={plan} choice={choice} onChange={set} />
        {plan.siteUrl === null && (
          <TextField
            label="Address of the old site"
            name="site"
            type="url"
            inputMode="url"
            autoComplete="off"
            placeholder={
              source.place === "substack" ? "https://name.substack.com" : "https://blog.example.com"
            }
            maxLength={500}
            required={source.needsSite}
            error={siteError}
            help={siteHelp(source)}
          />
        )}
        <Remarks plan={plan} />
        {error && (
          <p role="alert" className="font-medium text-danger">
            {error}
          </p>
        )}
        <ButtonRow>
          {coming.length > 0 && (
            <Button type="submit" tone="primary">
              {`Import ${counted(coming.length, "article")}`}
            </Button>
          )}
          <Button onClick={onCancel}>Choose another export</Button>
        </ButtonRow>
      </form>
      {source.lists.length > 0 && <Lists lists={source.lists} onList={onList} />}
      <PlanRows rows={plan.rows} choice={choice} />
      <LeftOut leftOut={plan.leftOut} />
    </div>
  );
}

function siteHelp({ needsSite, place }: Source) {
  const links = "links between your posts point to their new addresses";
  if (needsSite) return `The export doesn’t include it. Pictures are fetched from there, and ${links}.`;
  const readers = place === "substack" ? ", and feed readers don’t show your posts as new" : "";
  return `The export doesn’t include it. With it, ${links}${readers}.`;
}

/** The address of a site without the slash at its end; null for what is none. */
function siteOf(typed: string) {
  const text = typed.trim();
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  return url && url.hostname.includes(".") ? url.origin + url.pathname.replace(/\/+$/, "") : null;
}

/** Takes the focus, since what was pressed is gone. */
function Heading({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
      {children}
    </h2>
  );
}

function Figures({ plan, choice }: { plan: Plan; choice: Choice }) {
  const coming = comingOf(plan, choice);
  const redirects = coming.flatMap(({ addresses }) => addresses).length;
  const leftOut = [...plan.leftOut.values()].reduce((sum, { count }) => sum + count, 0);
  const figures = [
    ["Articles to import", coming.length],
    ["Already here", plan.rows.filter(({ known }) => known !== null).length],
    ["Pictures", plan.pictures],
    ["Old addresses kept", redirects],
    ["Left out", leftOut],
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-x-8 gap-y-3 border-y border-rule py-4 sm:flex sm:flex-wrap">
      {figures.map(([name, count]) => (
        <div key={name} className="grid">
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="text-lg font-medium figures">{count.toLocaleString("en")}</dd>
        </div>
      ))}
    </dl>
  );
}

const kinds = [
  ["posts", "Posts, published and scheduled, with their dates"],
  ["drafts", "Drafts, and posts that weren’t public"],
  ["pages", "Pages, as draft articles"],
] as const;

const none: Choice = { posts: false, drafts: false, pages: false };

type ChoicesProps = { plan: Plan; choice: Choice; onChange: (change: Partial<Choice>) => void };

const Choices = ({ plan, choice, onChange }: ChoicesProps) => (
  <fieldset className="grid gap-2">
    <legend className="mb-1.5 text-sm font-medium">What will be imported</legend>
    {kinds.map(([name, label]) => {
      const count = plan.rows.filter((row) => isChosen(row, { ...none, [name]: true })).length;
      return (
        <Checkbox
          key={name}
          label={`${label} (${count.toLocaleString("en")})`}
          checked={choice[name] && count > 0}
          disabled={count === 0}
          onChange={({ currentTarget }) => onChange({ [name]: currentTarget.checked })}
        />
      );
    })}
  </fieldset>
);

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
