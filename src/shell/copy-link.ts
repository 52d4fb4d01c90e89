import type { Notice } from "#site/ui/toast.tsx";

/** Copies an address and shows a toast with the result. */
export async function copyLink(url: string, say: (notice: Notice) => void) {
  try {
    await navigator.clipboard.writeText(url);
    say({
      kind: "success",
      title: "Link copied!",
      description: "The link has been copied to your clipboard.",
    });
  } catch (error) {
    console.warn(error);
    say({ kind: "error", title: "Failed to copy", description: "Please copy the link manually." });
  }
}
