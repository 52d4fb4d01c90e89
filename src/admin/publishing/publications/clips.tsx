import { useEffect, useState } from "react";
import { api, readJson } from "#site/api.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import type { LibraryFile } from "#worker/files/contract.ts";
import { clipWord } from "../../files/clip-names.ts";
import { formatSize } from "../../files/format.ts";
import { filePath } from "../../files/library/describe-file.ts";

/** The clips of an episode that are in the library, for posts on networks. */
export function Clips({ episodeId }: { episodeId: string }) {
  const [found, setFound] = useState<LibraryFile[] | "failed">();
  useEffect(() => {
    let isCurrent = true;
    const query = { q: clipWord(episodeId), kind: "other" } as const;
    readJson(api.files.$get({ query })).then(
      ({ items }) => isCurrent && setFound(items.filter(({ type }) => type.startsWith("video/"))),
      (error: unknown) => {
        console.warn("clips:", error);
        if (isCurrent) setFound("failed");
      },
    );
    return () => void (isCurrent = false);
  }, [episodeId]);
  return (
    <section aria-label="Clips" className="grid content-start gap-3">
      <h3 className="text-base font-semibold">Clips</h3>
      {found === "failed" && (
        <p className="text-sm text-danger">The clips couldn’t be listed. Load the page again.</p>
      )}
      {Array.isArray(found) && found.length > 0 && (
        <ul className="border-t border-rule">
          {found.map(({ id, name, size, url }) => (
            <li
              key={id}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-rule py-2"
            >
              <a href={filePath(id)} className="link min-w-0 py-1 wrap-anywhere">
                {name}
              </a>
              <span className="flex items-center gap-4 text-sm">
                <span className="text-muted tabular-nums">{formatSize(size)}</span>
                <a href={`${url}?download`} aria-label={`Download ${name}`} className="link py-1">
                  Download
                </a>
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <ButtonLink to={`/admin/podcast/${episodeId}/clip`} size="sm">
          Make a clip
        </ButtonLink>
        <p className="text-sm text-muted">A short video of a passage, with its words and a waveform.</p>
      </div>
    </section>
  );
}
