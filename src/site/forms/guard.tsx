import { useLayoutData } from "../use-layout.ts";

/**
 * Hidden fields of every public form: its name, for the redirect of a browser without scripts; the time of the render;
 * and a honeypot.
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
