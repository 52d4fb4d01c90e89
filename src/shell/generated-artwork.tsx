import { useEffect, useRef, useState } from "react";
import { cx } from "#site/ui/cx.ts";
import { isHydrating } from "#site/document/hydrating.ts";
import { useLazyModule } from "#site/ui/use-lazy-module.ts";
import type { drawLand, Land } from "#worker/platform/artwork/generated-artwork.ts";

type Drawing = { drawLand: typeof drawLand };

let atHand: Drawing | null = null;

/** Set by `entry.server.tsx`; the browser imports it on demand. */
export const drawWith = (drawing: Drawing) => (atHand = drawing);

const loadDrawing = (): Promise<Drawing> => import("#worker/platform/artwork/generated-artwork.ts");

type LandformProps = Land & { className?: string };

/** Replaces a missing picture: sky, sun, water and a hill of contour lines in two tones, drawn from a seed. */
export const Landform = (props: LandformProps) => <Drawn key={props.seed} {...props} />;

/** The server's drawing is not rendered again during hydration. */
function Drawn({ className, ...land }: LandformProps) {
  const frame = useRef<SVGSVGElement>(null);
  const [isWanted, setWanted] = useState(!isHydrating());
  const drawing = useLazyModule(isWanted, loadDrawing);
  useEffect(() => {
    if (frame.current?.childElementCount === 0) setWanted(true);
  }, []);
  return (
    <svg
      ref={frame}
      aria-hidden
      viewBox={`0 0 ${land.width ?? 600} 600`}
      preserveAspectRatio="xMidYMid slice"
      className={cx("bg-tint", className)}
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: (atHand ?? drawing)?.drawLand(land) ?? "" }}
    />
  );
}
