import { useEffect, useSyncExternalStore } from "react";
import { api, readJson } from "#site/api.ts";
import type { StoredFile } from "#worker/files/contract.ts";
import { Measurement, Unsupported, type Measured } from "./measurement.client.ts";
import { peaksFromBase64, peaksToBase64 } from "./peaks.ts";
import { Observable } from "../shell/observable.ts";

export type PeaksState =
  /** Not read yet, or being read. */
  | { phase: "reading" }
  /** There are none; `problem` is why the last attempt failed. */
  | { phase: "none"; problem: string | null }
  | { phase: "measuring"; seconds: number }
  /** `loudness` is null if it was not measured with the waveform, which older versions did not. */
  | ({ phase: "ready" } & Measured);

type AudioFile = Pick<StoredFile, "id" | "url">;

const UNSUPPORTED = "This browser can’t decode the file, so there’s no waveform. Everything else works.";
const FAILED = "The waveform couldn’t be drawn. Everything else works.";

const reading: PeaksState = { phase: "reading" };

/** How loud a stored audio file is: read from the server, or measured here and sent there. */
class FilePeaks extends Observable {
  readonly #file: AudioFile;
  #state: PeaksState = reading;
  #measurement: Measurement | null = null;
  #isRead = false;

  constructor(file: AudioFile) {
    super();
    this.#file = file;
  }

  readonly getState = () => this.#state;

  /** Reads the stored peaks, once. */
  async read() {
    if (this.#isRead) return;
    this.#isRead = true;
    try {
      const stored = await readJson(api.files[":id"].peaks.$get({ param: { id: this.#file.id } }));
      if (this.#measurement) return;
      this.#set(
        stored
          ? { phase: "ready", peaks: peaksFromBase64(stored.peaks), loudness: stored.loudness }
          : { phase: "none", problem: null },
      );
    } catch (error) {
      console.warn("peaks:", error);
      this.#isRead = false;
      if (!this.#measurement) this.#set({ phase: "none", problem: null });
    }
  }

  /** Takes over what an upload began, else begins. */
  async measure(measurement = new Measurement(this.#file.url)) {
    this.#isRead = true;
    this.#measurement?.stop();
    this.#measurement = measurement;
    this.#set({ phase: "measuring", seconds: 0 });
    measurement.onProgress = (seconds) => this.#set({ phase: "measuring", seconds });
    try {
      const measured = await measurement.result;
      if (this.#measurement !== measurement) return;
      this.#set({ phase: "ready", ...measured });
      await this.#store(measured);
    } catch (error) {
      if (this.#measurement !== measurement) return;
      if (!(error instanceof Unsupported)) console.warn("peaks:", error);
      this.#set({ phase: "none", problem: error instanceof Unsupported ? UNSUPPORTED : FAILED });
    }
    this.#measurement = null;
  }

  stop() {
    this.#measurement?.stop();
    this.#measurement = null;
    this.#set({ phase: "none", problem: null });
  }

  /** Without it the next visit measures again, so a failure is not the owner's concern. */
  async #store({ peaks, loudness }: Measured) {
    const { id } = this.#file;
    const json = { peaks: peaksToBase64(peaks), ...(loudness && { loudness }) };
    await readJson(api.files[":id"].peaks.$put({ param: { id }, json })).catch((error: unknown) =>
      console.warn("peaks:", error),
    );
  }

  #set(state: PeaksState) {
    this.#state = state;
    this.notify();
  }
}

/** By the file's id, as long as the page is open. */
const known = new Map<string, FilePeaks>();

export function peaksOf(file: AudioFile) {
  const found = known.get(file.id) ?? new FilePeaks(file);
  known.set(file.id, found);
  return found;
}

/** The peaks of a file, which are read once `isWanted`. */
export function useFilePeaks(file: AudioFile, isWanted: boolean) {
  const peaks = peaksOf(file);
  const state = useSyncExternalStore(peaks.subscribe, peaks.getState, () => reading);
  useEffect(() => {
    if (isWanted) void peaks.read();
  }, [peaks, isWanted]);
  return { state, measure: () => void peaks.measure(), stop: () => peaks.stop() };
}
