import { useEffect, useRef, type RefObject } from "react";
import { useNavigation } from "react-router";
import { api, readJson } from "#site/api.ts";
import { Button } from "#site/ui/button.tsx";
import { useLocale } from "#site/ui/locale.ts";
import { useHydrated } from "#site/ui/use-hydrated.ts";
import {
  letterDefaults,
  SUBJECT_LENGTH,
  type EditableLetter,
  type LetterInput,
  type LetterPreviewInput,
} from "#worker/letters/contract.ts";
import type { SegmentChoices } from "#worker/letters/segment-choices.ts";
import type { Versions } from "../form/compare-versions.tsx";
import { DraftKey, Checkbox, TextField } from "../form/fields.tsx";
import { PageForm } from "../form/form.tsx";
import { readAll } from "../form/read.ts";
import { useSaveDraft } from "../form/save-draft.ts";
import { MarkdownField } from "../markdown/markdown-field.tsx";
import { NEW } from "../form/new-item.ts";
import { letterForm, readQuestion } from "./letter-input.ts";
import { letterWords } from "./letter-words.ts";
import { MailPreview } from "./mail-preview.tsx";
import { PATH, REVIEW } from "./letter-status.ts";
import { QuestionFields } from "./question-fields.tsx";
import { Recipients } from "./recipients.tsx";

type Props = {
  name: string;
  /** Null for a new one. */
  letter: EditableLetter | null;
  choices: SegmentChoices;
  /** The number of recipients of the saved segment. */
  recipients: number;
  hasArchive: boolean;
  /** The typed fields that the email shows. */
  typed: LetterPreviewInput;
  onType: (typed: LetterPreviewInput) => void;
};

export function LetterForm({ name, letter, choices, recipients, hasArchive, typed, onType }: Props) {
  const values = letter?.values ?? letterDefaults;
  const review = useRef<HTMLButtonElement>(null);
  return (
    <PageForm
      name={name}
      basedOn={letter?.updatedAt}
      saveDraft={useLetterDraft(letter)}
      versions={useVersions(letter, choices)}
      keepAs={`letter-${letter?.id ?? NEW}`}
      submit={letter?.status === "scheduled" ? "Save changes" : "Save draft"}
      main={<ReviewButton submitter={review} />}
      cancelTo={PATH}
      footer={
        <button ref={review} type="submit" name={REVIEW} value="yes" hidden>
          Review
        </button>
      }
    >
      {!letter && <DraftKey />}
      <div className="grid gap-x-10 gap-y-8 pb-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <Words values={values} onType={onType} />
        <MailPreview letter={typed} />
      </div>
      <Recipients segment={values.segment} choices={choices} count={recipients} />
      {hasArchive && (
        <div className="border-t border-rule py-4">
          <Checkbox
            label="Show in the archive once sent"
            help="Anyone can read it on the site."
            name="isPublic"
            defaultChecked={values.isPublic}
          />
        </div>
      )}
    </PageForm>
  );
}

/** Saves, then navigates to the review; with a shorter label on a phone, so that the bar has one line. */
function ReviewButton({ submitter }: { submitter: RefObject<HTMLButtonElement | null> }) {
  const isHydrated = useHydrated();
  const isSent = useNavigation().formData?.has(REVIEW) === true;
  return (
    <Button
      tone="primary"
      disabled={!isHydrated}
      busy={isSent}
      onClick={({ currentTarget: { form } }) => form?.requestSubmit(submitter.current)}
    >
      <span>
        Review<span className="max-sm:sr-only">{" and send"}</span>
      </span>
    </Button>
  );
}

type Fields = { values: LetterInput };

function Words({ values, onType }: Fields & Pick<Props, "onType">) {
  const fields = useRef<HTMLDivElement>(null);
  useTyping(fields, onType);
  return (
    <div ref={fields} className="grid content-start gap-5">
      <TextField
        label="Subject"
        name="subject"
        maxLength={SUBJECT_LENGTH}
        defaultValue={values.subject}
        help="Also the email’s headline. Phones show about 50 characters."
      />
      <TextField
        label="Preheader"
        name="preheader"
        maxLength={200}
        defaultValue={values.preheader}
        help="Shown after the subject in inboxes. Leave blank to use the start of the text."
      />
      <MarkdownField
        label="Content"
        name="content"
        defaultValue={values.content}
        help="Markdown. Paste or drop a picture to upload it. A bold link on its own line becomes a button."
      />
      <QuestionFields question={values.question} />
    </div>
  );
}

/** Reports the values of the email's fields, also when a tool or a restore sets them. */
export function useTyping(
  fields: RefObject<HTMLElement | null>,
  onType: (typed: LetterPreviewInput) => void,
) {
  const latest = useRef(onType);
  useEffect(() => {
    latest.current = onType;
  });
  useEffect(() => {
    const element = fields.current;
    if (!element) return;
    const read = () => {
      const valueOf = (name: string) =>
        element.querySelector<HTMLInputElement | HTMLTextAreaElement>(`[name=${name}]`)?.value ?? "";
      latest.current({
        subject: valueOf("subject"),
        preheader: valueOf("preheader"),
        content: valueOf("content"),
        question: readQuestion(new FormData(element.closest("form")!)),
      });
    };
    element.addEventListener("input", read);
    return () => element.removeEventListener("input", read);
  }, [fields]);
}

const useLetterDraft = (letter: EditableLetter | null) =>
  useSaveDraft({
    spec: letterForm,
    item: letter && { id: letter.id, values: { status: letter.status } },
    path: PATH,
    isBegun: (data) => ["subject", "content"].some((field) => String(data.get(field)).trim() !== ""),
    create: (json) => readJson(api.newsletters.$post({ json })),
    update: (id, json) => readJson(api.newsletters[":id"].$patch({ param: { id }, json })),
  });

function useVersions(letter: EditableLetter | null, choices: SegmentChoices): Versions | undefined {
  const words = letterWords(useLocale(), choices);
  if (!letter) return undefined;
  const param = { id: String(letter.id) };
  return {
    ...words,
    readMine: (data) => readAll(data, letterForm.fields),
    readSaved: async () => ({ ...(await readJson(api.newsletters[":id"].$get({ param }))), savedBy: null }),
  };
}
