import { useEffect, useState } from "react";
import { PREVIEW_TOKEN, quotePath, type QuotePlace, type QuoteShape } from "#worker/sharing/quote-address.ts";

export type DrawnPicture =
  | { phase: "drawing" }
  | { phase: "drawn"; url: string; file: File }
  | { phase: "failed"; problem: string };

const drawing: DrawnPicture = { phase: "drawing" };
const UNREACHABLE = "The picture couldn’t be drawn. Check your connection, then try again.";

/** Milliseconds: words are not drawn while they are still being selected. */
const WAIT = 500;

type Asked = { episodeId: number; place: QuotePlace | null; shape: QuoteShape; isDraft?: boolean };

/** The picture of words, drawn by the server. */
export function useQuotePicture({ episodeId, place, shape, isDraft }: Asked) {
  const address = place && `/share${quotePath(episodeId, place, shape)}`;
  const [found, setFound] = useState<{ address: string; picture: DrawnPicture } | null>(null);
  useEffect(() => {
    if (address === null) return;
    const aborted = new AbortController();
    let url: string | undefined;
    const draw = async () => {
      const picture = await fetchPicture(address, `quote-${episodeId}-${shape}`, isDraft, aborted.signal);
      if (aborted.signal.aborted || !picture) return;
      if (picture.phase === "drawn") url = picture.url;
      setFound({ address, picture });
    };
    const timer = setTimeout(() => void draw(), WAIT);
    return () => {
      clearTimeout(timer);
      aborted.abort();
      if (url === undefined) return;
      URL.revokeObjectURL(url);
      setFound(null);
    };
  }, [address, episodeId, shape, isDraft]);
  return found?.address === address && found ? found.picture : drawing;
}

async function fetchPicture(
  address: string,
  name: string,
  isDraft: boolean | undefined,
  signal: AbortSignal,
): Promise<DrawnPicture | null> {
  const token = isDraft ? new URLSearchParams(location.search).get("token") : null;
  try {
    const response = await fetch(address, { signal, headers: token ? { [PREVIEW_TOKEN]: token } : {} });
    if (!response.ok) return { phase: "failed", problem: await problemOf(response) };
    const blob = await response.blob();
    const file = new File([blob], `${name}.${blob.type === "image/png" ? "png" : "jpg"}`, {
      type: blob.type,
    });
    return { phase: "drawn", url: URL.createObjectURL(file), file };
  } catch (error) {
    if (signal.aborted) return null;
    console.warn("quote:", error);
    return { phase: "failed", problem: UNREACHABLE };
  }
}

async function problemOf(response: Response) {
  const answer = (await response.json().catch(() => null)) as { error?: { message?: string } } | null;
  return answer?.error?.message ?? UNREACHABLE;
}
