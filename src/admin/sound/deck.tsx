import { Minus, Pause, Play, Plus } from "lucide-react";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { Button } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { controlClass } from "#site/ui/field.tsx";
import { formatTime } from "#site/ui/format.ts";
import { lazyImport } from "#site/ui/lazy-import.ts";
import { ProgressBar } from "#site/ui/progress.tsx";
import { useLazyModule } from "#site/ui/use-lazy-module.ts";
import type { StoredFile } from "#worker/files/contract.ts";
import { useFilePeaks } from "./file-peaks.ts";
import { toTenth, useSoundState, type Sound } from "./sound.ts";
import type { Mark, MoveMark } from "./wave-view.ts";

const importWaveform = lazyImport(() => import("./waveform.tsx"));

type Props = { sound: Sound; file: StoredFile; marks: Mark[]; onMove: MoveMark };

/** Plays a file, shows its waveform with the marks on it, and stays in view while they are set. */
export function Deck({ sound, file, marks, onMove }: Props) {
  const [zoom, setZoom] = useState(0);
  const isPlaying = useSoundState(sound, (state) => state.isPlaying);
  const rate = useSoundState(sound, (state) => state.rate);
  const hasFailed = useSoundState(sound, (state) => state.hasFailed);
  return (
    // Nothing here is part of the form.
    <div
      role="group"
      aria-label="Listen"
      data-wide
      onChange={(event) => event.stopPropagation()}
      className="contents gap-2 border-b border-rule bg-paper py-2 sm:top-0 sm:z-10 sm:grid sm:[@media(min-height:40rem)]:sticky"
    >
      <WaveArea sound={sound} file={file} marks={marks} onMove={onMove} zoom={zoom} />
      {/* On a phone, these alone stay in view. */}
      <div className="grid gap-2 bg-paper max-sm:sticky max-sm:top-0 max-sm:z-10 max-sm:border-b max-sm:border-rule max-sm:pb-2">
        <SeekBar sound={sound} />
        <div className="flex flex-wrap items-center gap-1.5 max-sm:gap-1">
          {[-15, -5, -1].map((seconds) => (
            <Skip key={seconds} sound={sound} seconds={seconds} />
          ))}
          <Button
            tone="primary"
            size="icon"
            aria-label={isPlaying ? "Pause" : "Play"}
            onClick={() => sound.toggle()}
          >
            {isPlaying ? <Pause aria-hidden size={18} /> : <Play aria-hidden size={18} />}
          </Button>
          {[1, 5, 15].map((seconds) => (
            <Skip key={seconds} sound={sound} seconds={seconds} />
          ))}
          <select
            aria-label="Speed"
            value={rate}
            onChange={(event) => sound.setRate(Number(event.currentTarget.value))}
            className={cx(controlClass, "h-8 w-auto! px-1 pointer-fine:md:text-sm")}
          >
            {[0.5, 0.75, 1, 1.25, 1.5, 2].map((speed) => (
              <option key={speed} value={speed}>
                {`${speed} ×`}
              </option>
            ))}
          </select>
          <span className="ml-auto flex gap-1.5">
            <Button
              size="icon"
              tone="bare"
              className="size-8"
              aria-label="Zoom out"
              disabled={zoom === 0}
              onClick={() => setZoom(zoom <= NEAREST ? 0 : zoom / 2)}
            >
              <Minus aria-hidden size={16} />
            </Button>
            <Button
              size="icon"
              tone="bare"
              className="size-8"
              aria-label="Zoom in"
              disabled={zoom >= FARTHEST}
              onClick={() => setZoom(zoom === 0 ? NEAREST : zoom * 2)}
            >
              <Plus aria-hidden size={16} />
            </Button>
          </span>
        </div>
      </div>
      {hasFailed && (
        <p role="alert" className="text-sm font-medium text-danger">
          This browser can’t play the audio file.
        </p>
      )}
    </div>
  );
}

/** Pixels a second of the first and the last step. */
const NEAREST = 4;
const FARTHEST = 64;

const Skip = ({ sound, seconds }: { sound: Sound; seconds: number }) => {
  const count = Math.abs(seconds);
  const way = seconds < 0 ? "Back" : "Forward";
  return (
    <Button
      size="sm"
      className="min-w-8 px-1! tabular-nums"
      aria-label={`${way} ${count} ${count === 1 ? "second" : "seconds"}`}
      onClick={() => sound.skip(seconds)}
    >
      {`${seconds < 0 ? "−" : "+"}${count}`}
    </Button>
  );
};

type AreaProps = Props & { zoom: number };

/** Always the same height. The waveform's code and data are loaded when it is scrolled to. */
function WaveArea({ sound, file, zoom, ...marks }: AreaProps) {
  const box = useRef<HTMLDivElement>(null);
  const isNear = useIsNear(box);
  const { state, measure, stop } = useFilePeaks(file, isNear);
  const module = useLazyModule(isNear && state.phase === "ready", importWaveform);
  return (
    <div ref={box} className="h-28 overflow-hidden bg-tint">
      {state.phase === "ready" && module && (
        <module.Waveform sound={sound} peaks={state.peaks} zoom={zoom} {...marks} />
      )}
      {state.phase === "none" && (
        <div className="grid h-full content-center justify-items-start gap-2 px-4 text-sm">
          <p role="status" className="text-muted">
            {state.problem ?? "No waveform yet."}
          </p>
          <Button size="sm" onClick={measure}>
            {state.problem ? "Try again" : "Draw the waveform"}
          </Button>
        </div>
      )}
      {state.phase === "measuring" && (
        <div className="grid h-full content-center justify-items-start gap-2 px-4 text-sm">
          <p className="text-muted">Drawing the waveform…</p>
          <ProgressBar
            label="Drawing the waveform"
            value={sound.duration > 0 ? Math.min(1, state.seconds / sound.duration) : undefined}
          />
          <Button size="sm" tone="bare" onClick={stop}>
            Stop
          </Button>
        </div>
      )}
    </div>
  );
}

/** Whether an element is near the viewport. */
function useIsNear(element: { current: HTMLElement | null }) {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        setNear(true);
        observer.disconnect();
      },
      { rootMargin: "300px" },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isNear;
}

/** Seconds by key. */
const steps: Record<string, number> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -15,
  PageUp: 15,
};

function SeekBar({ sound }: { sound: Sound }) {
  const time = useSoundState(sound, (state) => toTenth(state.time));
  const { duration } = sound;
  const seekByKey = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    sound.skip(event.shiftKey ? step / 10 : step);
  };
  return (
    <div className="flex items-center gap-3 text-sm tabular-nums">
      <span className="w-18 shrink-0">{exactTime(time)}</span>
      <input
        type="range"
        aria-label="Position"
        aria-valuetext={`${timeInWords(time)} of ${timeInWords(duration)}`}
        min={0}
        max={duration}
        step={0.1}
        value={Math.min(time, duration)}
        onChange={(event) => sound.seek(Number(event.currentTarget.value))}
        onKeyDown={seekByKey}
        className="h-6 min-w-0 flex-1"
      />
      <span className="shrink-0 text-muted">{formatTime(duration)}</span>
    </div>
  );
}

/** "1:15.3". */
const exactTime = (seconds: number) => `${formatTime(seconds)}.${Math.floor((seconds * 10 + 1e-6) % 10)}`;

/** "1 minute 15 seconds", for a screen reader. */
function timeInWords(seconds: number) {
  const whole = Math.floor(seconds);
  const parts: [number, string][] = [
    [Math.floor(whole / 3600), "hour"],
    [Math.floor(whole / 60) % 60, "minute"],
    [whole % 60, "second"],
  ];
  const words = parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`);
  return words.join(" ") || "0 seconds";
}
