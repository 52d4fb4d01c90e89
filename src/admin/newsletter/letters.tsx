import { api, ensureOk } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { Link } from "#site/document/link.tsx";
import { Badge } from "#site/ui/badge.tsx";
import { ButtonLink } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { counted, formatDateTime, formatShortDate } from "#site/ui/format.ts";
import { EmptyState } from "#site/ui/states.tsx";
import { LetterListQuery, type LetterSummary } from "#worker/letters/contract.ts";
import { listLetters } from "#worker/letters/queries.ts";
import { BinLink } from "../lists/bin-link.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { undoDeletion } from "../lists/undo-deletion.ts";
import { DuplicateButton } from "../publishing/duplicate-button.tsx";
import { act, saved } from "../form/submit.ts";
import { ListPages, listQueryOf } from "../lists/list-filters.tsx";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { RowActions } from "../lists/row-actions.tsx";
import { ACTIONS, TableHead } from "../lists/table-head.tsx";
import { letterStatusNames, letterStatusTones, nameOf, PATH } from "./letter-status.ts";
import { Stopped } from "./stopped.tsx";
import type { Route } from "./+types/letters";

export const meta = pageTitle("Letters");

export async function loader({ context, url }: Route.LoaderArgs) {
  const query = listQueryOf(url.searchParams, LetterListQuery, "letters");
  return { ...(await load(listLetters(context.get(siteContext), query))), query };
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData();
  return act(form, async () => {
    await ensureOk(api.newsletters[":id"].$delete({ param: { id: String(form.get("id")) } }));
    return saved(form, "Letter deleted successfully!", { undo: undoDeletion("letter", form.get("id")) });
  });
}

export default function Letters({
  loaderData: { items: letters, next, query },
  actionData,
}: Route.ComponentProps) {
  return (
    <ListPage<LetterSummary>
      title="Letters"
      actions={
        <ButtonLink to={`${PATH}/new`} tone="primary">
          New letter
        </ButtonLink>
      }
      answer={actionData}
      noun="letter"
      renderText={(letter) => (
        <p className="wrap-anywhere">
          <span>{`“${nameOf(letter)}”`}</span>
          <span> moves to the bin for 30 days.</span>
          {letter.status === "scheduled" && <span>{" It won’t be sent."}</span>}
        </p>
      )}
    >
      {(ask) => (
        <>
          {letters.length === 0 ? (
            <Nothing isFirstPage={query.before === undefined} />
          ) : (
            <LetterTable letters={letters} onDelete={ask} />
          )}
          <ListPages path={PATH} query={query} count={letters.length} next={next} noun="letters" />
          <BinLink />
        </>
      )}
    </ListPage>
  );
}

const Nothing = ({ isFirstPage }: { isFirstPage: boolean }) =>
  isFirstPage ? (
    <EmptyState title="No letters yet">
      Write the first one. All it needs is a subject, and nothing is sent until you say so. You can also turn
      a published essay or episode into a letter, from its form.
    </EmptyState>
  ) : (
    <EmptyState title="No letters on this page" />
  );

type TableProps = { letters: LetterSummary[]; onDelete: (letter: LetterSummary) => void };

const LetterTable = ({ letters, onDelete }: TableProps) => (
  <table className="w-full text-left text-sm tabular-nums">
    <TableHead columns={["Subject", "Status", "Date", "Recipients", ACTIONS]} cardsBelow="sm" />
    <tbody>
      {letters.map((letter) => (
        <tr
          key={letter.id}
          className="grid grid-cols-[auto_1fr] items-center gap-x-3 gap-y-1 border-t border-rule py-3 sm:table-row sm:py-0 sm:*:py-3 sm:*:pr-4 sm:*:last:pr-0"
        >
          <td className="col-span-2 font-medium wrap-anywhere">
            <Link
              to={`${PATH}/${letter.id}`}
              dir="auto"
              className={`py-1 underline-offset-4 hover:underline ${letter.subject ? "" : "text-muted italic"}`}
            >
              {nameOf(letter)}
            </Link>
            {letter.isAutomatic && letter.status === "draft" && !letter.pausedReason && (
              <span className="block text-sm font-normal text-muted">
                Made automatically. It waits for your approval.
              </span>
            )}
            {letter.pausedReason && letter.status !== "sending" && <Stopped>{letter.pausedReason}</Stopped>}
          </td>
          <td>
            <Badge tone={letterStatusTones[letter.status]}>{letterStatusNames[letter.status]}</Badge>
          </td>
          <td className="text-muted max-sm:text-right sm:whitespace-nowrap">
            <LetterDate {...letter} />
          </td>
          <td className={cx("text-muted max-sm:col-span-2", letter.startedAt === null && "max-sm:hidden")}>
            {countsOf(letter)}
          </td>
          <td className="text-right whitespace-nowrap max-sm:col-span-2">
            <Actions letter={letter} onDelete={() => onDelete(letter)} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** A sent letter can be viewed but not deleted. */
const Actions = ({ letter, onDelete }: { letter: LetterSummary; onDelete: () => void }) =>
  letter.status === "draft" || letter.status === "scheduled" ? (
    <RowActions to={`${PATH}/${letter.id}`} name={nameOf(letter)} onDelete={onDelete}>
      <DuplicateButton kind="letter" id={letter.id} tone="bare" aria-label={`Duplicate ${nameOf(letter)}`} />
    </RowActions>
  ) : (
    <>
      <ButtonLink to={`${PATH}/${letter.id}`} tone="bare" size="sm" aria-label={`Open ${nameOf(letter)}`}>
        Open
      </ButtonLink>
      <DuplicateButton kind="letter" id={letter.id} tone="bare" aria-label={`Duplicate ${nameOf(letter)}`} />
    </>
  );

function LetterDate({ status, scheduledFor, startedAt, finishedAt, updatedAt }: LetterSummary) {
  if (status === "scheduled" && scheduledFor !== null)
    return <DateTime at={scheduledFor} format={formatDateTime} />;
  return <DateTime at={finishedAt ?? startedAt ?? updatedAt} format={formatShortDate} />;
}

function countsOf({ startedAt, counts }: LetterSummary) {
  if (startedAt === null) return "None yet";
  const { recipients, sent, failed, uncertain } = counts;
  const parts = [
    sent === recipients ? counted(sent, "letter") : `${sent} of ${counted(recipients, "letter")}`,
  ];
  if (failed > 0) parts.push(`${failed} failed`);
  if (uncertain > 0) parts.push(`${uncertain} uncertain`);
  return parts.join(", ");
}
