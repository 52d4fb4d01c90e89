import { HONEYPOT } from "#worker/platform/http/honeypot.ts";
import { useLayoutData } from "../use-layout.ts";

type FormGuardProps = {
  form: string;
  /** When a redisplayed form was first rendered; by default this render. */
  shownAt?: string;
};

/**
 * Hidden fields of every public form: its name, for the redirect of a browser without scripts; the time of the render;
 * and a honeypot.
 */
export function FormGuard({ form, shownAt }: FormGuardProps) {
  const now = useLayoutData()?.shownAt;
  const shown = shownAt ?? now;
  return (
    <>
      <input type="hidden" name="form" value={form} />
      {shown !== undefined && <input type="hidden" name="shownAt" value={shown} />}
      <span aria-hidden className="sr-only">
        <label>
          Leave this empty
          <input
            type="text"
            name={HONEYPOT}
            tabIndex={-1}
            autoComplete="off"
            // Stops 1Password, Bitwarden, LastPass and Dashlane from filling it in.
            data-1p-ignore=""
            data-bwignore=""
            data-lpignore="true"
            data-form-type="other"
          />
        </label>
      </span>
    </>
  );
}
