import { useState, type RefObject } from "react";
import { useLocation, useNavigate, useNavigation } from "react-router";
import { Button } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { Dialog } from "#site/ui/dialog.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import {
  changedFields,
  ComparedFields,
  type ChangedField,
  type FieldWords,
  type Values,
} from "./compare/fields.tsx";
import { fill, textControls } from "./controls.ts";
import { Submit } from "./submit-button.tsx";

type SavedVersion = {
  /** Null if unknown. */
  savedBy: string | null;
  /** Milliseconds UTC. */
  updatedAt: number;
  values: Values;
};

/** Reads the saved version of an item, for comparison with its form. */
export type Versions = FieldWords & {
  readSaved: () => Promise<SavedVersion>;
  /** The form's values, in the shape of the saved values. */
  readMine: (form: FormData) => Values;
};

type Props = {
  form: RefObject<HTMLFormElement | null>;
  formId: string;
  versions: Versions;
  /** Called when the user discards their own version. */
  onDiscard: () => void;
};

type Loaded = { theirs: SavedVersion; mine: Values };

/** After a conflict: shows both versions, to choose one, or parts of both. */
export function CompareVersions({ form, formId, versions, onDiscard }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [loaded, setLoaded] = useState<Loaded | "failed" | null>(null);
  const open = async () => {
    setOpen(true);
    setLoaded(null);
    try {
      const theirs = await versions.readSaved();
      setLoaded(form.current && { theirs, mine: versions.readMine(new FormData(form.current)) });
    } catch (error) {
      console.error("versions:", error);
      setLoaded("failed");
    }
  };
  const isSending = useNavigation().formMethod !== undefined;
  return (
    <>
      <Button size="sm" onClick={() => void open()}>
        Compare the two versions
      </Button>
      <Submit tone="quiet" size="sm" name="overwrite" value="yes" className="max-sm:hidden">
        Save this version anyway
      </Submit>
      <Dialog open={isOpen && !isSending} onOpenChange={setOpen} title="Two versions" wide>
        {loaded === null && <p role="status">Loading…</p>}
        {loaded === "failed" && <p role="alert">The saved version couldn’t be loaded. Try again.</p>}
        {loaded !== null && loaded !== "failed" && (
          <Comparison
            form={form}
            formId={formId}
            versions={versions}
            onDiscard={onDiscard}
            loaded={loaded}
            onMerge={setLoaded}
          />
        )}
      </Dialog>
    </>
  );
}

type ComparisonProps = Props & { loaded: Loaded; onMerge: (merged: Loaded) => void };

function Comparison({
  form,
  formId,
  versions,
  onDiscard,
  loaded: { theirs, mine },
  onMerge,
}: ComparisonProps) {
  const takeTheirs = useTakeTheirs(onDiscard);
  const fields = changedFields(theirs.values, mine, versions);
  const takeField = ({ field }: ChangedField) => {
    if (!form.current) return;
    fill(form.current, { [field]: textIn(theirs.values[field]) });
    onMerge({ theirs, mine: versions.readMine(new FormData(form.current)) });
  };
  const isText = (field: string) =>
    form.current !== null &&
    isPlain(theirs.values[field]) &&
    textControls(form.current).some(({ name }) => name === field);
  return (
    <>
      <p className="text-sm text-muted">
        <span>{theirs.savedBy ?? "Someone"}</span> saved a version on{" "}
        <DateTime at={theirs.updatedAt} format={formatDateTime} />, after you opened this page. Words only in
        theirs are struck out; words only in yours are underlined.
      </p>
      {fields.length === 0 ? (
        <p>Both versions are the same now.</p>
      ) : (
        <ComparedFields
          fields={fields}
          renderAction={(field) =>
            isText(field.field) && (
              <Button
                size="sm"
                tone="bare"
                onClick={() => takeField(field)}
                aria-label={`Use theirs: ${field.label}`}
              >
                Use theirs
              </Button>
            )
          }
        />
      )}
      <footer className="flex flex-wrap justify-end gap-3">
        <Button onClick={takeTheirs}>Discard mine, open theirs</Button>
        <Submit form={formId} name="overwrite" value="yes">
          Save mine
        </Submit>
      </footer>
    </>
  );
}

/** Whether a single text control can show the value. */
const isPlain = (value: unknown) =>
  Array.isArray(value)
    ? value.every((part) => typeof part === "string")
    : typeof value !== "object" || !value;

/** The text of a value in a text control. */
const textIn = (value: unknown) => (Array.isArray(value) ? value.join(", ") : String(value ?? ""));

/** Reloads the page with a new form; the typed values are dropped with the old one. */
function useTakeTheirs(onDiscard: () => void) {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return () => {
    onDiscard();
    void navigate(pathname + search, {
      replace: true,
      preventScrollReset: true,
      state: { form: crypto.randomUUID() },
    });
  };
}
