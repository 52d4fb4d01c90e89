import type { ComponentProps, MouseEvent } from "react";
import { api, ApiError, ensureOk } from "#site/api.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { toast } from "./toast.tsx";

/** A link to a file that needs a recent proof of who the user is, which is asked for before the download begins. */
export const DownloadButton = (props: ComponentProps<typeof ButtonLink>) => (
  <ButtonLink {...props} reloadDocument onClick={downloadOnceConfirmed} />
);

function downloadOnceConfirmed(event: MouseEvent<HTMLAnchorElement>) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const { href } = event.currentTarget;
  ensureOk(api.session.proof.$get()).then(
    () => location.assign(href),
    (error: unknown) =>
      toast.error(error instanceof ApiError ? error.message : "The connection was lost. Try again."),
  );
}
