import type { LibraryFile } from "#worker/files/contract.ts";
import { Thumbnail } from "./thumbnail.tsx";

/** The picture, or a player; a document opens by its address. */
export function FilePreview({ file }: { file: LibraryFile }) {
  if (file.kind === "audio") {
    return (
      <div className="grid gap-4">
        {file.artwork && <img src={file.artwork.url} alt="" className="w-48 bg-tint" />}
        {/* Plays the replaced recording itself: its plain address redirects to the replacement. */}
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- The owner hears their own file, which has no captions. */}
        <audio
          controls
          preload="metadata"
          src={`${file.url}?former`}
          aria-label={file.name}
          className="w-full"
        />
      </div>
    );
  }
  if (file.type.startsWith("video/")) {
    return (
      // oxlint-disable-next-line jsx-a11y/media-has-caption -- The owner sees their own file, which has no captions.
      <video
        controls
        preload="metadata"
        src={file.url}
        aria-label={file.name}
        className="max-h-[28rem] w-full bg-tint"
      />
    );
  }
  if (file.kind === "other") return <Thumbnail file={file} sizes="24rem" className="h-48 w-full" />;
  return (
    <a href={file.url} className="block bg-tint">
      <img
        src={file.url}
        srcSet={file.srcset || undefined}
        sizes={file.srcset ? "(min-width: 64rem) 40rem, 92vw" : undefined}
        width={file.width ?? undefined}
        height={file.height ?? undefined}
        alt={file.alt || "Full picture"}
        className="mx-auto h-auto max-h-[28rem] w-auto max-w-full"
      />
    </a>
  );
}
