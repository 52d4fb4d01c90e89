import { useLayoutData } from "../use-layout.ts";

/**
 * What every public form carries beside its own fields: its name, to which a browser without scripts is sent back; when
 * the server rendered it; and a field that no person sees, but that a machine fills in.
 */
export function FormGuard({ form }: { form: string }) {
  const shownAt = useLayoutData()?.shownAt;
  return (
    <>
      <input type="hidden" name="form" value={form} />
      {shownAt !== undefined && <input type="hidden" name="shownAt" value={shownAt} />}
      <span aria-hidden className="sr-only">
        <label>
          Leave this empty
          <input type="text" name="website" tabIndex={-1} autoComplete="off" />
        </label>
      </span>
    </>
  );
}
