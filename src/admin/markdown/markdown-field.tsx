import { useId, useRef, useState, type ClipboardEvent, type DragEvent, type ReactNode } from "react";
import { insertTextIntoField } from "text-field-edit";
import { Button } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { controlClass, described, Notes } from "#site/ui/field.tsx";
import type { StoredFile } from "#worker/files/contract.ts";
import { useFieldError, useFormState } from "../form/context.ts";
import { asParagraph, notePlainPaste, pasteFormatted } from "./paste.ts";
import { MarkdownHelp } from "./help.tsx";
import { PictureDialog } from "./picture-dialog.tsx";
import { Preview, type Rendered } from "./preview.tsx";
import { pressTool, Toolbar } from "./toolbar.tsx";

type Props = {
  label: string;
  name: string;
  defaultValue: string;
  help?: ReactNode;
  /** One column among other fields: the preview replaces the text. */
  narrow?: boolean;
  className?: string;
  /** For an item with a picture above its text. */
  onFeature?: (image: StoredFile) => void;
  /** Absent if the page has its own preview. */
  render?: (text: string, signal: AbortSignal) => Promise<Rendered>;
};

/**
 * Markdown in a text area, with a toolbar and a preview, which is beside it or, in a narrow window, replaces it.
 * Pasted, dropped or chosen pictures are uploaded first; formatted text is pasted as Markdown.
 */
export function MarkdownField({
  label,
  name,
  defaultValue,
  help,
  narrow,
  className,
  onFeature,
  render,
}: Props) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const error = useFieldError(name);
  const { markChanged } = useFormState();
  const [text, setText] = useState(defaultValue);
  const [isPreviewed, setPreviewed] = useState(false);
  const { asked, ask, next } = usePictures();
  const [inserted, setInserted] = useState<StoredFile | null>(null);
  const feature = () => {
    if (inserted) onFeature?.(inserted);
    setInserted(null);
    markChanged();
    // The pressed button disappears.
    area.current?.focus();
  };

  const take = (event: ClipboardEvent | DragEvent, data: DataTransfer) => {
    const pictures = [...data.files].filter(({ type }) => type.startsWith("image/"));
    // Office programs also copy a picture of the text.
    if (pictures.length === 0 || data.types.includes("text/plain")) return false;
    event.preventDefault();
    ask(pictures);
    return true;
  };

  const insert = (markdown: string, image: StoredFile) => {
    next();
    setInserted(image);
    // After the dialog has returned the focus.
    setTimeout(() => {
      if (!area.current) return;
      area.current.focus();
      insertTextIntoField(area.current, asParagraph(area.current, markdown));
      markChanged();
    });
  };

  return (
    <div className={cx("grid gap-1.5", className)}>
      <div className="flex flex-wrap items-end justify-between gap-x-4">
        <div className="flex w-full flex-wrap items-baseline gap-x-4">
          <label htmlFor={id} className="text-sm font-medium">
            {label}
          </label>
          <MarkdownHelp field={label} />
        </div>
        <Toolbar
          field={id}
          onPicture={() => ask([undefined])}
          // Hidden while the preview replaces the text.
          className={cx(isPreviewed && (narrow ? "invisible" : "max-xl:invisible"))}
        />
        {render && (
          <Button
            size="sm"
            aria-pressed={isPreviewed}
            className={cx(
              "mb-1 ml-auto aria-pressed:border-ink aria-pressed:bg-tint",
              !narrow && "xl:hidden",
            )}
            onClick={() => setPreviewed(!isPreviewed)}
          >
            Preview
          </Button>
        )}
      </div>
      <div className={cx("grid gap-x-8", !narrow && render && "xl:grid-cols-2")}>
        <textarea
          ref={area}
          id={id}
          name={name}
          dir="auto"
          defaultValue={defaultValue}
          {...described(id, help, error)}
          rows={narrow ? 12 : 24}
          spellCheck
          className={cx(
            controlClass,
            "resize-y py-2 font-mono leading-relaxed pointer-fine:md:text-sm",
            !narrow && "xl:h-[38rem]",
            isPreviewed && (narrow ? "hidden" : "max-xl:hidden"),
          )}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            pressTool(event);
            notePlainPaste(event);
          }}
          onPaste={(event) => {
            if (!take(event, event.clipboardData)) pasteFormatted(event, markChanged);
          }}
          onDrop={(event) => take(event, event.dataTransfer)}
        />
        {render && (
          <Preview
            text={text}
            render={render}
            className={cx(
              "max-h-[38rem] overflow-y-auto border-t border-rule px-1 pt-2",
              !isPreviewed && (narrow ? "hidden" : "max-xl:hidden"),
            )}
          />
        )}
      </div>
      {onFeature && (
        <div role="status" className="contents">
          {inserted && (
            <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5 text-sm">
              <p>The picture is in the text.</p>
              <Button size="sm" onClick={feature}>
                Use as featured picture
              </Button>
            </div>
          )}
        </div>
      )}
      <Notes id={id} help={help} error={error} />
      {asked && <PictureDialog key={asked.key} file={asked.file} onInsert={insert} onClose={next} />}
    </div>
  );
}

type Asked = { key: number; file: File | undefined };

/** The pictures that wait for their description, one after another. */
function usePictures() {
  const [queue, setQueue] = useState<Asked[]>([]);
  const count = useRef(0);
  return {
    asked: queue[0],
    ask: (files: (File | undefined)[]) => setQueue(files.map((file) => ({ key: count.current++, file }))),
    next: () => setQueue(queue.slice(1)),
  };
}
