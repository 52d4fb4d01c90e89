import { useState } from "react";
import { redirect } from "react-router";
import { Link } from "#site/document/link.tsx";
import { api, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { everybody, type EditableLetter, type LetterPreviewInput } from "#worker/letters/contract.ts";
import { readLetter, readRecipientCount } from "#worker/letters/queries.ts";
import { readSegmentChoices } from "#worker/letters/segment-choices.ts";
import { readSite } from "#worker/settings/queries.ts";
import { DuplicateButton } from "../publishing/duplicate-button.tsx";
import { useFormName } from "../form/name.ts";
import { basedOnOf, saved, submit } from "../form/submit.ts";
import { FormHeading } from "../form/section.tsx";
import { load } from "../shell/load.server.ts";
import { NEW } from "../form/new-item.ts";
import { pageTitle } from "../shell/page-title.ts";
import { createdOrUpdated } from "../form/saved-words.ts";
import { CheckPanel } from "./check-panel.tsx";
import { LetterForm } from "./letter-form.tsx";
import { letterForm } from "./letter-input.ts";
import { isOpen, letterStatusNames, PATH, REVIEW } from "./letter-status.ts";
import { Stopped } from "./stopped.tsx";
import { TestPanel } from "./test-panel.tsx";
import type { Route } from "./+types/letter";

const UNTITLED = "New letter";

export const meta = ({ loaderData }: Route.MetaArgs) => pageTitle(loaderData?.letter?.subject || UNTITLED)();

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [letter, choices, site] = await load(
    Promise.all([id === NEW ? null : readLetter(ctx, Number(id)), readSegmentChoices(ctx), readSite(ctx)]),
  );
  if (letter && !isOpen(letter.status)) throw redirect(`${PATH}/${letter.id}/report`);
  const recipients = await load(readRecipientCount(ctx, letter?.values.segment ?? everybody));
  return { letter, choices, recipients, hasArchive: site.newsletter.archive };
}

export async function clientAction({ request, params: { id } }: Route.ClientActionArgs) {
  const form = await request.formData();
  const isReview = form.has(REVIEW);
  return submit(form, {
    ...letterForm,
    async send(letter) {
      if (id === NEW) {
        const created = await readJson(api.newsletters.$post({ json: letter }));
        if (isReview) return redirect(`${PATH}/${created.id}/send`);
        return saved(form, createdOrUpdated("Letter", form), { address: `${PATH}/${created.id}` });
      }
      const json = { ...letter, basedOn: basedOnOf(form) };
      const { updatedAt } = await readJson(api.newsletters[":id"].$patch({ param: { id }, json }));
      if (isReview) return redirect(`${PATH}/${id}/send`);
      return saved(form, createdOrUpdated("Letter", form), { updatedAt });
    },
  });
}

export default function LetterPage({ loaderData }: Route.ComponentProps) {
  const name = useFormName();
  return <Composing key={name} name={name} {...loaderData} />;
}

type ComposingProps = Pick<
  Route.ComponentProps["loaderData"],
  "letter" | "choices" | "recipients" | "hasArchive"
> & { name: string };

/** The form, and the preview, check and test of its current values. */
function Composing({ name, letter, choices, recipients, hasArchive }: ComposingProps) {
  const [typed, setTyped] = useState(() => wordsOf(letter));
  return (
    <>
      <header className="mb-6 flex flex-wrap items-center justify-between gap-3">
        <FormHeading
          title={typed.subject}
          untitled={UNTITLED}
          state={letterStatusNames[letter?.status ?? "draft"]}
        />
        {letter && <DuplicateButton kind="letter" id={letter.id} />}
      </header>
      {letter?.origin && <Origin origin={letter.origin} />}
      {letter?.isAutomatic && letter.status === "draft" && (
        <p className="-mt-3 mb-6 text-sm text-muted">
          <span>Made automatically. It isn’t sent until you review and send it. </span>
          <Link to={`${PATH}/automatic`} className="link">
            Automatic letters
          </Link>
        </p>
      )}
      {letter?.pausedReason && (
        <div className="mb-6">
          <Stopped>{letter.pausedReason}</Stopped>
        </div>
      )}
      <LetterForm
        name={name}
        letter={letter}
        choices={choices}
        recipients={recipients}
        hasArchive={hasArchive}
        typed={typed}
        onType={setTyped}
      />
      {letter && (
        <>
          <CheckPanel id={letter.id} typed={typed} />
          <TestPanel letter={letter} typed={typed} />
        </>
      )}
    </>
  );
}

const wordsOf = (letter: EditableLetter | null): LetterPreviewInput => ({
  subject: letter?.values.subject ?? "",
  preheader: letter?.values.preheader ?? "",
  content: letter?.values.content ?? "",
  question: letter?.values.question ?? null,
});

const Origin = ({ origin: { kind, id } }: { origin: NonNullable<EditableLetter["origin"]> }) => (
  <p className="-mt-3 mb-6 text-sm text-muted">
    Made from an{" "}
    <Link to={kind === "article" ? `/admin/articles/${id}` : `/admin/podcast/${id}`} className="link">
      {kind === "article" ? "essay" : "episode"}
    </Link>
    . Your changes here affect the letter only.
  </p>
);
