/**
 * The one way to write a form in the admin area:
 *
 * const venture = { fields: { name: text, url: textOrNull, active: checkbox }, schema: VentureInput };
 *
 * export async function clientAction({ request }: Route.ClientActionArgs) { return submit(await request.formData(), {
 * ...venture, async send(json) { await ensureOk(api.ventures.$post({ json })); return "Venture created successfully!";
 * }, }); }
 *
 * <Form> <TextField name="name" label="Venture Name" required /> <Checkbox name="active" label="Active" defaultChecked
 * /> <Submit>Save</Submit> </Form>
 *
 * A form that is a page of its own is a `PageForm` of `FormSection`s, which also saves with Ctrl+S, and autosaves
 * drafts if it has `saveDraft`. A form in a dialog is in a `FormDialog` and has a `CancelButton`. All of them ask
 * before unsaved changes are lost. The action of a form that stays open after a save answers `saved(form, message, {
 * address, updatedAt })`. If a page has several forms each has an `intent`, by which its action distinguishes them. A
 * button without fields is an `ActionButton`, whose action is `act`. Fields find their errors by their names, so that
 * none is passed by hand.
 */
import {
  Fragment,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  type FormEvent,
  type ReactNode,
  type RefObject,
} from "react";
import { Form as RouterForm, useLocation, useNavigation } from "react-router";
import { Button, ButtonLink } from "#site/ui/button.tsx";
import { useSingleSubmit } from "#site/ui/use-single-submit.ts";
import { NEW } from "./new-item.ts";
import { Publish, type Publishing } from "../publishing/publish/publish.tsx";
import { AutosaveNote, useAutosave, type Autosave, type AutosaveState, type SaveDraft } from "./autosave.tsx";
import { useChanges } from "./changes.ts";
import { FormContext } from "./context.ts";
import { fill } from "./controls.ts";
import { Replaced, useFocusKept } from "./focus-kept.ts";
import { useGuarded, type Question } from "./leaving.ts";
import { isSameForm, useOwnAddress } from "./name.ts";
import { useFormResult, useLastSave, type FormResult } from "./result.ts";
import { FIRST_SAVE } from "./submit.ts";
import { useUnreadable } from "./unreadable.ts";
import { useUnsavedText } from "./unsaved-text.tsx";
import { CompareVersions, type Versions } from "./compare-versions.tsx";
import { Choices, Conflict } from "./conflict.tsx";
import { Submit } from "./submit-button.tsx";

export { ActionButton, Submit } from "./submit-button.tsx";

type FormProps = Version & {
  /** Its name on a page with several. */
  intent?: string;
  /** Empties the fields once they are saved: for passwords. */
  clearWhenSaved?: boolean;
  /** The question before leaving its page. */
  question?: Question;
  className?: string;
  children: ReactNode;
};

type Version = {
  /** The `updatedAt` of the version that is edited: a newer one is not overwritten without asking. */
  basedOn?: number;
};

/** A short form: in a dialog, in a section, or alone on a screen. */
export function Form({
  intent = "save",
  basedOn: current,
  clearWhenSaved,
  question,
  className,
  children,
}: FormProps) {
  const result = useFormResult(intent);
  const savedAt = useLastSave(result)?.at;
  const basedOn = useHeldVersion(current, savedAt);
  const { form, state } = useForm(intent, result);
  const focusKept = useFocusKept(form);
  const autosave = useChanges({ form, savedAt, isUploading: state.uploads.size > 0, question });
  const change = () => autosave.schedule();
  const submitOnce = useSingleSubmit();
  return (
    <FormContext value={{ ...state, markChanged: change }}>
      <RouterForm
        ref={form}
        method="post"
        noValidate
        onChange={change}
        onSubmit={(event) => {
          submitOnce(event);
          if (!event.defaultPrevented) autosave.send();
        }}
        className={className ?? "grid gap-5"}
      >
        <input type="hidden" name="intent" value={intent} />
        {basedOn !== undefined && <input type="hidden" name="basedOn" value={basedOn} />}
        <FormAlert result={result} className="border-l-4 border-danger pl-3" />
        {result?.errors?.isConflict && <Conflict form={form} />}
        <Fragment key={clearWhenSaved ? savedAt : undefined}>
          {clearWhenSaved && <Replaced {...focusKept} />}
          {children}
        </Fragment>
      </RouterForm>
    </FormContext>
  );
}

type PageFormProps = Version & {
  /** Distinguishes forms at the same address: a new item's form stays open after its first save. */
  name?: string;
  /** Autosaves the form. */
  saveDraft?: SaveDraft;
  /** The form stays open after a save, so that an upload can continue. */
  savesDuringUpload?: boolean;
  /** How two versions of the form are compared after a conflict. */
  versions?: Versions;
  /** Stores unsaved text in this browser under this name, and offers it after a crash. */
  keepAs?: string;
  /** The label of the save button. */
  submit: string;
  /** How the item is published. */
  publishing?: Publishing;
  /** An alternative main button. Not a submit button, since Enter in a field presses a form's first one. */
  main?: ReactNode;
  /** The target of Cancel. */
  cancelTo?: string;
  /** After these buttons. */
  footer?: ReactNode;
  children: ReactNode;
};

/** A form that is a page of its own, of sections; its buttons stay in view. */
export function PageForm({
  name,
  basedOn: current,
  saveDraft,
  savesDuringUpload = false,
  versions,
  keepAs,
  submit,
  publishing,
  main,
  cancelTo,
  footer,
  children,
}: PageFormProps) {
  const intent = "save";
  const result = useFormResult(intent);
  const { form, state } = useForm(intent, result);
  const id = useId();
  const lastSave = useLastSave(result);
  // The form stays mounted when it moves to the item's own address.
  const [isNew] = useState(useLocation().pathname.endsWith(`/${NEW}`));
  const submittedAt = lastSave?.at;
  const moveTo = useOwnAddress(name);
  const { autosave, ...draft } = useAutosave({ form, save: saveDraft, moveTo, submittedAt });
  const { keep, forget, isOffered, basedOn, ...unsaved } = useUnsavedText({
    name: keepAs,
    form,
    basedOn: latestOf(useHeldVersion(current, submittedAt), draft.updatedAt, lastSave?.updatedAt),
    savedAt: latestOf(submittedAt, draft.savedAt),
    getState: autosave.getState,
  });
  const unsavedText: ReactNode = unsaved.elements;
  // Stays set until this version is saved, also through a question before saving.
  const [overwritten, setOverwritten] = useState<number>();
  const isUploading = state.uploads.size > 0;
  const isConflict = draft.isConflict || (result?.errors?.isConflict ?? false);
  const isGone = draft.isGone || (result?.errors?.isGone ?? false);
  const isSaid = draft.error !== null && draft.error === result?.errors?.message;
  const isLater = useLaterSubmit({ name, form, autosave, draft });
  // The save lacked a file whose upload was still running.
  const [isFileLeft, setFileLeft] = useState(false);
  useSaveKey(form, savesDuringUpload || !isUploading);
  useCreated(moveTo, result?.address);

  const change = () => {
    keep();
    autosave.schedule();
  };
  // Resumes storing and autosaving, which pause while an earlier text is offered.
  const goOn = useEffectEvent(() => {
    if (autosave.getState().isChanged) change();
  });
  useEffect(() => {
    if (!isOffered) goOn();
  }, [isOffered]);
  const discard = () => {
    forget();
    autosave.discard();
  };
  const saveAsNew = () => {
    // A published item must not become public again without a decision. Its address is reserved while it is in the bin.
    if (form.current) fill(form.current, { status: "draft", slug: "" });
    autosave.saveAsNew();
  };
  useGuarded(
    {
      isUnsaved: () => isUploading || autosave.isUnsaved(),
      isKept: (from, to) => isSameForm(name, from, to),
      discard,
      autosave,
    },
    draft.isChanged || draft.isSaving || draft.isSending || isUploading,
  );
  return (
    <FormContext value={{ ...state, savesDuringUpload, markChanged: change }}>
      <RouterForm
        ref={form}
        id={id}
        method="post"
        noValidate
        // On back navigation the browser would restore older values over a newer version.
        autoComplete="off"
        state={{ form: name }}
        onChange={change}
        onSubmit={(event) => {
          if (isLater(event)) return;
          autosave.send();
          setFileLeft(isUploading);
          if (isOverwrite(event)) setOverwritten(basedOn);
        }}
      >
        <input type="hidden" name="intent" value={intent} />
        {basedOn !== undefined && <input type="hidden" name="basedOn" value={basedOn} />}
        {basedOn !== undefined && overwritten === basedOn && (
          <input type="hidden" name="overwrite" value="yes" />
        )}
        {isNew && !lastSave && <input type="hidden" name={FIRST_SAVE} value="yes" />}
        {unsavedText}
        {children}
        <footer className="sticky bottom-0 z-10 -mx-4 flex flex-wrap items-center gap-2 border-t border-rule bg-paper px-4 py-3 sm:mx-0 sm:gap-3 sm:px-0 [@media(max-height:30rem)]:static">
          {publishing ? (
            <Publish form={form} {...publishing}>
              <Submit tone={publishing.button === "primary" ? "quiet" : "primary"}>{submit}</Submit>
            </Publish>
          ) : (
            <>
              {main}
              <Submit tone={main ? "quiet" : "primary"}>{submit}</Submit>
            </>
          )}
          {cancelTo && <ButtonLink to={cancelTo}>Cancel</ButtonLink>}
          {footer}
          <FormAlert result={result} className="text-sm" />
          {saveDraft && !isSaid && <AutosaveNote {...draft} isOffered={isOffered} />}
          {saveDraft && isGone && (
            <Choices form={form}>
              <Button size="sm" busy={draft.isSaving} disabled={isOffered} onClick={saveAsNew}>
                Save as a new draft
              </Button>
            </Choices>
          )}
          {isConflict && (
            <Conflict form={form}>
              {versions && (
                <CompareVersions form={form} formId={id} versions={versions} onDiscard={discard} />
              )}
            </Conflict>
          )}
          <p role="status" className="text-sm text-muted">
            {isUploading && <span>{savesDuringUpload ? SAVES_DURING_UPLOAD : SAVES_AFTER_UPLOAD}</span>}
            {!isUploading && isFileLeft && draft.isChanged && (
              <span>Upload complete. Save to attach the file.</span>
            )}
          </p>
        </footer>
      </RouterForm>
    </FormContext>
  );
}

const SAVES_AFTER_UPLOAD = "You can save once the upload is complete or cancelled.";
const SAVES_DURING_UPLOAD =
  "You can save now. To attach a file that’s still uploading, save again once it’s complete.";

const latestOf = (...times: (number | undefined)[]) => {
  const known = times.filter((time) => time !== undefined);
  return known.length > 0 ? Math.max(...known) : undefined;
};

/** The version that a form is based on: the opened or last saved one. The loader may run again for other reasons. */
function useHeldVersion(current: number | undefined, submittedAt: number | undefined) {
  const [held, setHeld] = useState({ version: current, submittedAt });
  // The answer to a save arrives before the loader runs again.
  const isRead = useNavigation().state === "idle";
  const isFirst = held.version === undefined && current !== undefined;
  if (isRead && (isFirst || submittedAt !== held.submittedAt)) setHeld({ version: current, submittedAt });
  return held.version;
}

type LaterSubmit = {
  /** The form's. */
  name: string | undefined;
  form: RefObject<HTMLFormElement | null>;
  autosave: Autosave;
  draft: Pick<AutosaveState, "isSaving" | "isSending">;
};

/**
 * Whether a submission is postponed, since two concurrent saves would conflict. It follows once nothing is pending,
 * unless it would repeat the same submission, as a double click would.
 */
function useLaterSubmit({ name, form, autosave, draft: { isSaving, isSending } }: LaterSubmit) {
  const navigation = useNavigation();
  const location = useLocation();
  // A pending navigation to another page would never return: the save replaces it.
  const isUnderway = navigation.location !== undefined && isSameForm(name, location, navigation.location);
  const sentBy = useRef<HTMLElement>(null);
  const later = useRef<{ submitter: HTMLElement | null }>(null);
  const isBusy = isUnderway || isSaving || isSending;
  useEffect(() => {
    if (isBusy || !later.current) return;
    const { submitter } = later.current;
    later.current = null;
    form.current?.requestSubmit(submitter);
  }, [isBusy, form]);
  return (event: FormEvent<HTMLFormElement>) => {
    const submitter = submitterOf(event);
    // The current state: the rendered one is stale for a double click.
    const now = autosave.getState();
    if (!isUnderway && !now.isSaving && !now.isSending) {
      sentBy.current = submitter;
      return false;
    }
    event.preventDefault();
    const isSent = now.isSending || navigation.formMethod !== undefined;
    const isSame = isSent && !now.isChanged && submitter === sentBy.current;
    if (!isSame) later.current = { submitter };
    return true;
  };
}

const submitterOf = ({ nativeEvent }: FormEvent) =>
  nativeEvent instanceof SubmitEvent ? nativeEvent.submitter : null;

/** After a new item's first save by its button. A redirect could not name the form that stays open. */
function useCreated(moveTo: (address: string) => Promise<void>, address: string | undefined) {
  const goToOwnAddress = useEffectEvent(moveTo);
  useEffect(() => {
    if (address !== undefined) void goToOwnAddress(address);
  }, [address]);
}

/** Ctrl+S, or ⌘S, presses the save button. */
function useSaveKey(form: RefObject<HTMLFormElement | null>, isReady: boolean) {
  useEffect(() => {
    const save = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key !== "s") return;
      event.preventDefault();
      // Not while a dialog is open.
      if (isReady && !document.querySelector("[role=dialog], [role=alertdialog]"))
        form.current?.requestSubmit();
    };
    addEventListener("keydown", save);
    return () => removeEventListener("keydown", save);
  }, [form, isReady]);
}

const isOverwrite = (event: FormEvent) => submitterOf(event)?.getAttribute("name") === "overwrite";

/** The shared state of a form's fields, and the focus after an error. */
function useForm(intent: string, result: FormResult | undefined) {
  const form = useRef<HTMLFormElement>(null);
  const [uploads, setUploads] = useState<ReadonlySet<string>>(new Set());
  const setUploading = (field: string, isUploading: boolean) =>
    setUploads((before) => {
      if (before.has(field) === isUploading) return before;
      const after = new Set(before);
      if (isUploading) after.add(field);
      else after.delete(field);
      return after;
    });
  useUnreadable(form);
  useFocusOnFirstError(form, result);
  const errors = result?.errors ?? null;
  const state = { intent, errors, uploads, savesDuringUpload: false, setUploading, markChanged: () => {} };
  return { form, state };
}

function useFocusOnFirstError(form: RefObject<HTMLFormElement | null>, result: FormResult | undefined) {
  useEffect(() => {
    if (result?.errors) {
      form.current?.querySelector<HTMLElement>("[aria-invalid=true], [data-invalid]")?.focus();
    }
  }, [form, result]);
}

/** It may be out of view in a long dialog. */
const reveal = (alert: HTMLElement | null) => alert?.scrollIntoView({ block: "nearest" });

/** Keyed by the answer, so that a repeated message is announced again. */
const FormAlert = ({ result, className }: { result: FormResult | undefined; className: string }) =>
  result?.errors?.message && (
    <p key={result.at} ref={reveal} role="alert" className={`${className} font-medium text-danger`}>
      {result.errors.message}
    </p>
  );
