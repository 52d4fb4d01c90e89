import { useNavigation } from "react-router";
import { siteContext } from "#site/context.ts";
import { Link } from "#site/document/link.tsx";
import { Badge } from "#site/ui/badge.tsx";
import { ButtonLink } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { counted, formatDateTime } from "#site/ui/format.ts";
import { EmptyState } from "#site/ui/states.tsx";
import type { AutomaticLetterRow } from "#worker/automatic-letters/contract.ts";
import { listAutomaticLetters } from "#worker/automatic-letters/owner-queries.ts";
import { ActionButton } from "../../form/form.tsx";
import { intentOf } from "../../form/submit.ts";
import { ConfirmAction } from "../../lists/confirm-action.tsx";
import { ListPage } from "../../lists/list-page.tsx";
import { RowActions } from "../../lists/row-actions.tsx";
import { errorPage } from "../../shell/error-page.tsx";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { PATH } from "../letter-status.ts";
import { automaticActions, SWITCH, switchAutomaticLetter } from "./save.ts";
import { itemNames, LIST, scheduleInWords } from "./schedule-words.ts";
import type { Route } from "./+types/list";

export const meta = pageTitle("Automatic letters");

export const loader = ({ context }: Route.LoaderArgs) => load(listAutomaticLetters(context.get(siteContext)));

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData();
  return intentOf(form) === SWITCH ? switchAutomaticLetter(form) : automaticActions.remove(form);
}

/** The automatic letters, each with its next and its last letter. */
export default function AutomaticLetters({ loaderData: { items }, actionData }: Route.ComponentProps) {
  return (
    <ListPage<AutomaticLetterRow>
      title="Automatic letters"
      actions={
        <ButtonLink to={`${LIST}/new`} tone="primary">
          New automatic letter
        </ButtonLink>
      }
      answer={actionData}
      noun="automatic letter"
      renderText={({ name }) => (
        <p className="wrap-anywhere">
          “<span>{name}</span>” is deleted for good. Letters that it has made stay. To stop it for a while,
          switch it off instead.
        </p>
      )}
    >
      {(ask) =>
        items.length === 0 ? (
          <EmptyState title="No automatic letters yet">
            A letter can be made from each new episode or essay, or as a digest of all that is new. You decide
            whether it waits for your approval.
          </EmptyState>
        ) : (
          <ul>
            {items.map((item) => (
              <Row key={item.id} item={item} onDelete={() => ask(item)} />
            ))}
          </ul>
        )
      }
    </ListPage>
  );
}

const Row = ({ item, onDelete }: { item: AutomaticLetterRow; onDelete: () => void }) => (
  <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-rule py-4">
    <div className="grid min-w-0 flex-[1_1_20rem] gap-1">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Link
          to={`${LIST}/${item.id}`}
          dir="auto"
          className="py-1 font-medium wrap-anywhere underline-offset-4 hover:underline"
        >
          {item.name}
        </Link>
        <Badge tone={item.isOn ? "accent" : "neutral"}>{item.isOn ? "On" : "Off"}</Badge>
      </p>
      <p className="text-sm">
        {[
          scheduleInWords(item),
          itemNames[item.items],
          item.mode === "send" ? "Sent automatically" : "Waits for your approval",
        ].join(" · ")}
      </p>
      <p className="text-sm text-muted">
        <Next item={item} />
        <Last last={item.last} />
      </p>
    </div>
    <div className="flex flex-wrap items-center gap-1">
      <OnOff item={item} />
      <RowActions to={`${LIST}/${item.id}`} name={item.name} onDelete={onDelete} />
    </div>
  </li>
);

function Next({ item: { isOn, nextAt, waiting } }: { item: AutomaticLetterRow }) {
  if (!isOn) return null;
  const ready = waiting === 0 ? "Nothing new yet" : `${counted(waiting, "new item")}`;
  return (
    <span className="block">
      <span>{ready}</span>
      {nextAt !== null && (
        <>
          <span>{". Next: "}</span>
          <DateTime at={nextAt} format={formatDateTime} />
        </>
      )}
    </span>
  );
}

const Last = ({ last }: Pick<AutomaticLetterRow, "last">) =>
  last ? (
    <span className="block">
      <span>{"Last letter: "}</span>
      <Link to={`${PATH}/${last.letterId}`} className="link">
        <DateTime at={last.at} format={formatDateTime} />
      </Link>
    </span>
  ) : (
    <span className="block">No letter yet</span>
  );

/** Switching off asks first if something would not be sent. */
function OnOff({ item: { id, name, isOn, updatedAt, waiting } }: { item: AutomaticLetterRow }) {
  const { formData } = useNavigation();
  const values = { id: String(id), version: String(updatedAt), isOn: isOn ? "no" : "yes" };
  if (!isOn || waiting === 0)
    return (
      <ActionButton
        intent={SWITCH}
        values={values}
        size="sm"
        aria-label={isOn ? `Switch off ${name}` : `Switch on ${name}`}
      >
        {isOn ? "Switch off" : "Switch on"}
      </ActionButton>
    );
  return (
    <ConfirmAction
      intent={SWITCH}
      label="Switch off"
      name={name}
      title="Switch off this automatic letter?"
      confirm="Switch off"
      tone="primary"
      size="sm"
      busy={formData?.get("intent") === SWITCH && formData.get("id") === String(id)}
      values={values}
    >
      {waiting === 1
        ? "The new item that waits for it won’t be sent, also after you switch it on again."
        : `The ${waiting} new items that wait for it won’t be sent, also after you switch it on again.`}
    </ConfirmAction>
  );
}

export const ErrorBoundary = errorPage("Failed to fetch automatic letters");
