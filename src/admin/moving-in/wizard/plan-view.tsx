import { useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { counted } from "#site/ui/format.ts";
import { ShowMore } from "#site/ui/show-more.tsx";

type PlanViewProps = {
  title: string;
  about: ReactNode;
  figures?: readonly Figure[];
  /** What the owner chooses. */
  children?: ReactNode;
  error?: string | null;
  /** The button that runs it; null if there is nothing to run. */
  action: string | null;
  onRun: (event: FormEvent<HTMLFormElement>) => void;
  /** "Choose another export" */
  another: string;
  onCancel: () => void;
  /** Below the buttons: the items to import, and those that are left out. */
  sections: ReactNode;
};

/** What would be imported, and what the owner chooses of it. Nothing is written yet. */
export const PlanView = (props: PlanViewProps) => (
  <div className="grid gap-10">
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        props.onRun(event);
      }}
      className="grid max-w-3xl gap-6"
    >
      <StepHeading>{props.title}</StepHeading>
      <p className="-mt-5 text-muted wrap-anywhere">{props.about}</p>
      {props.figures && <Figures figures={props.figures} />}
      {props.children}
      {props.error && (
        <p role="alert" className="font-medium text-danger">
          {props.error}
        </p>
      )}
      <ButtonRow>
        {props.action !== null && (
          <Button type="submit" tone="primary">
            {props.action}
          </Button>
        )}
        <Button onClick={props.onCancel}>{props.another}</Button>
      </ButtonRow>
    </form>
    {props.sections}
  </div>
);

/** Takes the focus, because the pressed button is removed. */
export function StepHeading({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
      {children}
    </h2>
  );
}

export type Figure = readonly [name: string, figure: number | string, tone?: "danger"];

export const Figures = ({ figures }: { figures: readonly Figure[] }) => (
  <dl className="grid grid-cols-2 gap-x-8 gap-y-3 border-y border-rule py-4 sm:flex sm:flex-wrap">
    {figures.map(([name, figure, tone]) => (
      <div key={name} className="grid content-start">
        <dt className="text-sm text-muted">{name}</dt>
        <dd className={`text-lg font-medium figures ${tone === "danger" ? "text-danger" : ""}`}>
          {figure.toLocaleString("en")}
        </dd>
      </div>
    ))}
  </dl>
);

type RowsProps<Row> = {
  rows: readonly Row[];
  most: number;
  /** If given, the number of rows is shown beside the button. */
  noun?: string;
  children: (row: Row) => ReactNode;
};

/** A list that shows `most` rows, and as many more with each press. */
export function Rows<Row>({ rows, most, noun, children }: RowsProps<Row>) {
  const [shown, setShown] = useState(most);
  const list = useRef<HTMLUListElement>(null);
  return (
    <>
      <ul ref={list} className={rows.length > 0 ? "border-b border-rule *:border-t *:border-rule" : "hidden"}>
        {rows.slice(0, shown).map(children)}
      </ul>
      {rows.length > shown && (
        <div className="flex flex-wrap items-center gap-3">
          <ShowMore list={list} shown={shown} onShow={() => setShown(shown + most)} />
          {noun && <p className="text-sm text-muted">{`${shown} of ${counted(rows.length, noun)}`}</p>}
        </div>
      )}
    </>
  );
}

type Group = { what: string; count: number; titles: readonly string[] };
type GroupsProps = { id: string; title: string; groups: readonly Group[] };

/** What happens to several things, each with their number and the first titles. */
export const Groups = ({ id, title, groups }: GroupsProps) =>
  groups.length === 0 ? null : (
    <section aria-labelledby={id} className="grid max-w-3xl gap-3">
      <h2 id={id} className="text-lg font-semibold">
        {title}
      </h2>
      <ul className="border-t border-rule">
        {groups.map(({ what, count, titles }) => (
          <li key={what} className="grid gap-1 border-b border-rule py-3">
            <p>{`${what} (${count.toLocaleString("en")})`}</p>
            {titles.length > 0 && (
              <p className="text-sm text-muted wrap-anywhere">
                {`${titles.join(", ")}${count > titles.length ? " and others" : ""}`}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );

const statuses = ["published", "scheduled", "draft", "archived"] as const;

/** "2 published, 1 draft" */
export const countsByStatus = (all: readonly (typeof statuses)[number][]) =>
  statuses
    .map((status) => ({ status, count: all.filter((each) => each === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) =>
      status === "draft" ? counted(count, status) : `${count.toLocaleString("en")} ${status}`,
    )
    .join(", ");
