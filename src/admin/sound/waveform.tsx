import { useEffect, useRef } from "react";
import type { Sound } from "./sound.ts";
import { WaveView, type Mark, type MoveMark } from "./wave-view.ts";

type Props = {
  sound: Sound;
  peaks: Uint8Array;
  /** Pixels a second. */
  zoom: number;
  marks: Mark[];
  onMove: MoveMark;
};

/** For pointer and sight only. The fields of each mark do the same with the keyboard. */
export function Waveform({ sound, peaks, zoom, marks, onMove }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<WaveView>(null);
  useEffect(() => {
    if (!box.current) return;
    const shown = new WaveView(box.current, sound, peaks);
    view.current = shown;
    return () => shown.destroy();
  }, [sound, peaks]);
  useEffect(() => {
    view.current?.zoom(zoom);
    view.current?.show(marks, onMove);
  });
  return <div ref={box} role="img" aria-label="Waveform" className="min-w-0" data-waveform />;
}
