import { useId } from "react";
import { cx } from "#site/ui/cx.ts";
import { described, Notes } from "#site/ui/field.tsx";
import { useHydrated } from "#site/ui/use-hydrated.ts";
import { useDropTarget } from "../files/use-drop-target.ts";

type Props = {
  label: string;
  words: string;
  accept: string;
  help: string;
  error: string | null;
  multiple?: boolean;
  onChoose: (files: File[]) => void;
};

const areaClass =
  "grid min-h-28 cursor-pointer place-items-center rounded-md border border-dashed p-4 text-center font-normal " +
  "group-hover/area:border-ink";

/** A field for files, chosen or dropped, that are read in the browser. */
export function ChooseFiles({ label, words, accept, help, error, multiple, onChoose }: Props) {
  const id = useId();
  const isHydrated = useHydrated();
  const choose = (files: FileList | null) => {
    if (files && files.length > 0) onChoose([...files]);
  };
  const { isOver, events } = useDropTarget(choose);
  return (
    <div className="grid max-w-3xl gap-1.5">
      <input
        id={id}
        type="file"
        accept={accept}
        multiple={multiple}
        disabled={!isHydrated}
        {...described(id, help, error)}
        className="peer sr-only"
        onChange={({ target }) => {
          choose(target.files);
          // Choosing the same files again fires a change only if the value is empty.
          target.value = "";
        }}
      />
      <label
        htmlFor={id}
        className={
          "group/area grid gap-1.5 text-sm font-medium peer-focus-visible:*:outline-2 " +
          "peer-focus-visible:*:outline-offset-2 peer-focus-visible:*:outline-focus"
        }
      >
        <span>{label}</span>
        <span
          aria-hidden
          className={cx(areaClass, isOver ? "border-accent bg-tint" : "border-edge")}
          {...events}
        >
          {words}
        </span>
      </label>
      <Notes id={id} help={help} error={error} />
    </div>
  );
}
