import { z } from "zod";

/** Of the curve of a recording: one a second, up to an hour. Longer recordings have fewer a second. */
export const MAX_CURVE = 3600;
/** Silences that are listed. */
export const MAX_SILENCES = 50;
/** Seconds of silence that are reported. */
export const LONG_SILENCE = 5;

const time = z
  .number()
  .min(0)
  .max(7 * 86_400);

/** What the browser measures of a recording, by ITU-R BS.1770-4 and EBU Tech 3342 (decision 0107). */
export const Loudness = z.strictObject({
  /** LUFS; null if nothing is louder than −70. */
  integrated: z.number().min(-70).max(40).nullable(),
  /** LU; null for less than three seconds of sound. */
  range: z.number().min(0).max(120).nullable(),
  /** dBTP; null for digital silence. */
  truePeak: z.number().min(-400).max(60).nullable(),
  channels: z.int().min(1).max(32),
  /** Channels without sound while another has some, counted from 0. */
  missing: z.array(z.int().min(0).max(31)).max(32),
  /** Tenths of a second in which samples are clipped, and where the first one is. */
  clipped: z.int().min(0),
  firstClip: time.nullable(),
  /** Each of at least `LONG_SILENCE` seconds. */
  silences: z.array(z.strictObject({ start: time, end: time })).max(MAX_SILENCES),
  /** Base64 of the short-term loudness, a byte for each section, all of the same length: see `curveLoudness`. */
  curve: z.base64("Send the curve as Base64.").max(Math.ceil(MAX_CURVE / 3) * 4),
});
export type Loudness = z.infer<typeof Loudness>;

/** LUFS of the lowest and the highest byte of a curve. */
export const CURVE = { lowest: -60, highest: 3.75 } as const;
const CURVE_STEPS = 255 / (CURVE.highest - CURVE.lowest);

export const curveByte = (lufs: number) =>
  Math.round(Math.min(255, Math.max(0, (lufs - CURVE.lowest) * CURVE_STEPS)));
export const curveLoudness = (byte: number) => CURVE.lowest + byte / CURVE_STEPS;

/** LUFS that Apple and others ask for; one channel is played by two loudspeakers, and so 3 LU louder. */
export const targetOf = ({ channels }: Pick<Loudness, "channels">) => (channels === 1 ? -19 : -16);
/** LU around the target. */
export const TOLERANCE = 1;
/** dBTP: lossy formats exceed the peaks of what they are made from. */
export const HIGHEST_PEAK = -1;

/** "−16.2": with a minus sign. */
export const decibels = (value: number) =>
  value
    .toFixed(1)
    .replace("-", "−")
    .replace(/^−0\.0$/, "0.0");

export type LoudnessFinding = {
  about: "loudness" | "peak" | "channels" | "silence" | "clipping";
  message: string;
};

/** What podcast apps and listeners would dislike about a recording, for the owner; empty if nothing. */
export function findingsOf(loudness: Loudness): LoudnessFinding[] {
  const { integrated, truePeak } = loudness;
  if (integrated === null) return [{ about: "loudness", message: "The recording is silent." }];
  return [
    ...levelFindings(integrated, loudness),
    ...(truePeak !== null && roundedTenth(truePeak) > HIGHEST_PEAK
      ? [
          {
            about: "peak" as const,
            message: `The peaks reach ${decibels(truePeak)} dBTP. Above −1 dBTP, they may be distorted when played.`,
          },
        ]
      : []),
    ...channelFindings(loudness),
    ...silenceFindings(loudness),
    ...clippingFindings(loudness),
  ];
}

const roundedTenth = (value: number) => Math.round(value * 10) / 10;

function levelFindings(integrated: number, loudness: Loudness): LoudnessFinding[] {
  const target = targetOf(loudness);
  const apart = roundedTenth(integrated) - target;
  if (Math.abs(apart) <= TOLERANCE) return [];
  const kind = loudness.channels === 1 ? "one channel" : "stereo";
  const message = `The recording is too ${apart < 0 ? "quiet" : "loud"}: ${decibels(integrated)} LUFS instead of ${decibels(target)} for ${kind}.`;
  return [{ about: "loudness", message }];
}

function channelFindings({ missing, channels }: Loudness): LoudnessFinding[] {
  if (missing.length === 0) return [];
  const names = missing.map((channel) => channelName(channel, channels)).join(", ");
  const message =
    missing.length === 1 ? `The ${names} channel has no sound.` : `These channels have no sound: ${names}.`;
  return [{ about: "channels", message }];
}

function channelName(channel: number, channels: number) {
  if (channels === 2) return channel === 0 ? "left" : "right";
  return String(channel + 1);
}

function silenceFindings({ silences }: Loudness): LoudnessFinding[] {
  const longest = silences.toSorted((a, b) => b.end - b.start - (a.end - a.start))[0];
  if (!longest) return [];
  const lasts = Math.round(longest.end - longest.start);
  const message =
    silences.length === 1
      ? `There’s a silence of ${lasts} seconds at ${clockTime(longest.start)}.`
      : `There are ${silences.length === MAX_SILENCES ? `at least ${MAX_SILENCES}` : silences.length} silences of over ${LONG_SILENCE} seconds. The longest one is ${lasts} seconds, at ${clockTime(longest.start)}.`;
  return [{ about: "silence", message }];
}

function clippingFindings({ clipped, firstClip }: Loudness): LoudnessFinding[] {
  if (clipped === 0 || firstClip === null) return [];
  const places = clipped === 1 ? "one place" : `${clipped} places`;
  const message = `The sound is clipped in ${places}, first at ${clockTime(firstClip)}: it was recorded or amplified too loud.`;
  return [{ about: "clipping", message }];
}

/** "2:05", "1:02:05". */
export function clockTime(seconds: number) {
  const whole = Math.floor(seconds);
  const two = (value: number) => String(value % 60).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60)];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole)}` : `${minutes}:${two(whole)}`;
}
