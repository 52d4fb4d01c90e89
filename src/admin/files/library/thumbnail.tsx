import { AudioLines, File, FileText, Film } from "lucide-react";
import { cx } from "#site/ui/cx.ts";
import type { LibraryFile } from "#worker/files/contract.ts";

type Props = {
  file: LibraryFile;
  /** Width in the layout, as in an image's `sizes`. */
  sizes: string;
  className?: string;
};

/** A picture, uncropped; for other files their type. The name is shown beside it. */
export function Thumbnail({ file: { kind, type, url, srcset }, sizes, className }: Props) {
  return (
    <span className={cx("relative grid place-items-center overflow-hidden bg-tint text-muted", className)}>
      {kind === "picture" ? (
        <img
          src={url}
          srcSet={srcset || undefined}
          sizes={srcset ? sizes : undefined}
          alt=""
          loading="lazy"
          decoding="async"
          className="absolute inset-0 size-full object-contain"
        />
      ) : (
        <KindIcon type={type} />
      )}
    </span>
  );
}

const icon = { "aria-hidden": true, size: 32, strokeWidth: 1.5 };

function KindIcon({ type }: { type: string }) {
  if (type.startsWith("audio/")) return <AudioLines {...icon} />;
  if (type.startsWith("video/")) return <Film {...icon} />;
  return type === "application/zip" ? <File {...icon} /> : <FileText {...icon} />;
}
