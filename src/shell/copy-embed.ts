import type { Notice } from "#site/ui/toast.tsx";
import { embedPath, frameCode, type EmbedKind } from "#worker/embeds/frame.ts";

export type Embedded = { kind: EmbedKind; id: number | string; title: string };

/** Copies the code that embeds an episode or playlist, and shows a toast with the result. */
export async function copyEmbed({ kind, id, title }: Embedded, say: (notice: Notice) => void) {
  const code = frameCode({ src: location.origin + embedPath(kind, id), title });
  try {
    await navigator.clipboard.writeText(code);
    say({
      kind: "success",
      title: "Embed code copied!",
      description: "Paste it into the HTML of another page.",
    });
  } catch (error) {
    console.warn(error);
    say({ kind: "error", title: "Failed to copy", description: "Your browser didn’t allow it." });
  }
}
