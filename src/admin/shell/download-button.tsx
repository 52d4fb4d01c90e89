import type { ComponentProps, MouseEvent } from "react";
import { ButtonLink } from "#site/ui/button.tsx";
import { onceConfirmed } from "./once-confirmed.ts";

/** A link to a file that needs a recent proof of who the user is, which is asked for before the download begins. */
export const DownloadButton = (props: ComponentProps<typeof ButtonLink>) => (
  <ButtonLink {...props} reloadDocument onClick={downloadOnceConfirmed} />
);

function downloadOnceConfirmed(event: MouseEvent<HTMLAnchorElement>) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const { href } = event.currentTarget;
  void onceConfirmed(() => location.assign(href));
}
