import { useState } from "react";
import { useSearchParams, useSubmit } from "react-router";
import { Link } from "#site/document/link.tsx";
import { Button, ButtonLink } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { ConfirmDialog } from "#site/ui/dialog.tsx";
import { counted, formatDateTime } from "#site/ui/format.ts";
import type { FieldChange, Revision, RevisionWithValues } from "#worker/revisions/contract.ts";
import { Choice } from "../../lists/choice.tsx";
import { changedFields, ComparedFields, type FieldWords, type Values } from "../../form/compare/fields.tsx";

type Props = {
  /** The item's edit page. */
  back: { to: string; label: string };
  revisions: { items: Revision[]; next: string | null };
  /** The opened version and the one before it; null if none is opened. */
  opened: { revision: RevisionWithValues; former: Values | null } | null;
  /** The item's current values. */
  current: Values;
  basedOn: number;
  words: FieldWords;
};

/**
 * The versions of an item: what each changed, how it differs from the current values, and a button that restores it.
 */
export function Versions({ back, revisions, opened, current, basedOn, words }: Props) {
  const [{ id: newest } = { id: 0 }] = revisions.items;
  return (
    <div className="grid gap-6">
      <header className="grid gap-1">
        <p>
          <Link to={back.to} className="link inline-block py-1 text-sm">
            {back.label}
          </Link>
        </p>
        <h1 className="text-xl font-semibold">Versions</h1>
      </header>
      <div className="grid gap-x-10 gap-y-8 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <VersionList revisions={revisions} openedId={opened?.revision.id} words={words} />
        {opened ? (
          <OpenedVersion
            key={opened.revision.id}
            {...opened}
            isNewest={opened.revision.id === newest}
            current={current}
            basedOn={basedOn}
            words={words}
          />
        ) : (
          <p className="text-muted max-lg:hidden">Choose a version to see what it changed.</p>
        )}
      </div>
    </div>
  );
}

type ListProps = Pick<Props, "revisions" | "words"> & { openedId?: number };

function VersionList({ revisions: { items, next }, openedId, words }: ListProps) {
  const [parameters] = useSearchParams();
  const linkTo = (change: Record<string, string>) =>
    `?${new URLSearchParams({ ...Object.fromEntries(parameters), ...change }).toString()}`;
  if (items.length === 0) {
    return <p className="text-muted">No versions yet.</p>;
  }
  return (
    // On a phone the opened version comes first.
    <nav aria-label="Versions" className={cx(openedId !== undefined && "max-lg:order-last")}>
      <ol className="grid border-t border-rule">
        {items.map((revision) => (
          <li key={revision.id} className="border-b border-rule">
            <Link
              to={linkTo({ version: String(revision.id) })}
              preventScrollReset
              prefetch="none"
              aria-current={revision.id === openedId ? "true" : undefined}
              className="grid gap-0.5 px-2 py-2.5 hover:bg-tint aria-[current]:bg-tint aria-[current]:shadow-[inset_3px_0_0_var(--color-accent)]"
            >
              <span className="font-medium">
                <DateTime at={revision.savedAt} format={formatDateTime} />
              </span>
              <Facts revision={revision} words={words} />
            </Link>
          </li>
        ))}
      </ol>
      {next !== null && (
        <ButtonLink to={linkTo({ before: next })} size="sm" className="mt-4">
          Older versions
        </ButtonLink>
      )}
    </nav>
  );
}

const Facts = ({ revision, words }: { revision: Revision; words: FieldWords }) => (
  <span className="grid text-sm text-muted">
    <span>{`${revision.savedBy ?? "Author unknown"}${revision.isAutomatic ? ", autosaved" : ""}`}</span>
    {revision.restoredFrom !== null && (
      <span>
        Restored from <DateTime at={revision.restoredFrom} format={formatDateTime} />
      </span>
    )}
    <span>{revision.changes === null ? "The first version" : changesInWords(revision.changes, words)}</span>
  </span>
);

/** "Text (+120 words), Title". */
function changesInWords(changes: FieldChange[], { labels }: FieldWords) {
  const named = changes.flatMap(({ field, words }) => {
    const label = labels[field];
    if (label === undefined) return [];
    return words === null || words === 0 ? [label] : [`${label} (${inWords(words)})`];
  });
  return named.length > 0 ? named.join(", ") : "No visible changes";
}

const inWords = (words: number) => `${words > 0 ? "+" : "−"}${counted(Math.abs(words), "word")}`;

type OpenedProps = NonNullable<Props["opened"]> &
  Pick<Props, "current" | "basedOn" | "words"> & { isNewest: boolean };

function OpenedVersion({ revision, former, isNewest, current, basedOn, words }: OpenedProps) {
  const [isAgainstNow, setAgainstNow] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const fields = isAgainstNow
    ? changedFields(revision.values, current, words)
    : changedFields(former, revision.values, words);
  return (
    <section aria-labelledby="version" className="grid min-w-0 content-start gap-5">
      <header className="grid gap-3">
        <h2 id="version" className="text-lg font-semibold">
          Version of <DateTime at={revision.savedAt} format={formatDateTime} />
        </h2>
        <div className="flex flex-wrap gap-3">
          <Choice isOn={!isAgainstNow} onPress={() => setAgainstNow(false)}>
            What it changed
          </Choice>
          {!isNewest && (
            <>
              <Choice isOn={isAgainstNow} onPress={() => setAgainstNow(true)}>
                What changed since
              </Choice>
              <Button size="sm" tone="primary" onClick={() => setAsked(true)}>
                Restore this version
              </Button>
            </>
          )}
        </div>
      </header>
      {fields.length > 0 ? (
        <ComparedFields fields={fields} />
      ) : (
        <p className="text-muted">
          {isAgainstNow
            ? "This version is the same as the current one."
            : "This version has no visible changes."}
        </p>
      )}
      <RestoreQuestion
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        revision={revision}
        basedOn={basedOn}
      />
    </section>
  );
}

type RestoreProps = Pick<OpenedProps, "revision" | "basedOn"> & { isOpen: boolean; onClose: () => void };

function RestoreQuestion({ revision: { id, savedAt }, basedOn, isOpen, onClose }: RestoreProps) {
  const submit = useSubmit();
  const restore = () => {
    void submit({ intent: "restore", revision: id, basedOn }, { method: "post" });
    onClose();
  };
  return (
    <ConfirmDialog
      open={isOpen}
      onOpenChange={(open) => !open && onClose()}
      title="Restore this version?"
      confirm="Restore"
      tone="primary"
      onConfirm={restore}
    >
      The version of <DateTime at={savedAt} format={formatDateTime} /> replaces the current one, which stays
      in the list. Its status and publication date don’t change.
    </ConfirmDialog>
  );
}
