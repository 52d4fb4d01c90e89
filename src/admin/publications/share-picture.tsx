import { useEffect, useRef, useState } from "react";
import { Button } from "#site/ui/button.tsx";
import { toast } from "../toast.tsx";
import { drawPicture, drawWords, HEIGHT, WIDTH } from "./draw.ts";

type Props = { title: string; picture: string | null };

/** The item's picture in the shape that networks show, or without one its title, to be downloaded. */
export function SharePicture({ title, picture }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    const drawing = canvas.current?.getContext("2d");
    if (!drawing) return;
    let isLeft = false;
    const words = () => drawWords(drawing, title);
    const work = picture ? drawPicture(drawing, picture).catch(words) : words();
    void work.then(() => !isLeft && setDrawn(true));
    return () => {
      isLeft = true;
    };
  }, [title, picture]);
  return (
    <div className="grid content-start gap-3">
      <h4 className="text-sm font-medium">Picture</h4>
      <canvas
        ref={canvas}
        width={WIDTH}
        height={HEIGHT}
        role="img"
        aria-label={picture ? `The picture of ${title}` : `A card with the title ${title}`}
        className="aspect-[1200/630] w-full max-w-xl border border-rule bg-tint"
      />
      <p className="text-sm text-muted">
        <span>{`${WIDTH} × ${HEIGHT} px`}</span>, as previews of links are shown.
        {!picture && <span> With a picture of its own it would show that.</span>}
      </p>
      <Button
        className="justify-self-start"
        disabled={!isDrawn}
        onClick={() => canvas.current?.toBlob((blob) => save(blob, title), "image/jpeg", 0.9)}
      >
        Download picture
      </Button>
    </div>
  );
}

function save(blob: Blob | null, title: string) {
  if (!blob) return toast.error("The picture could not be made.");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${nameOf(title)}.jpg`;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** A file's name of letters and digits. */
const nameOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60) || "picture";
