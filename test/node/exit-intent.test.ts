import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  dayOf,
  saveDismissed,
  saveShown,
  saveSubscribed,
  readNewsletterState,
} from "#site/site/newsletter/newsletter-storage.ts";
import { mayShowPopup } from "#site/site/newsletter/may-show-popup.ts";
import { watchTopEdge } from "#site/site/newsletter/exit-intent.ts";

const DAY = 86_400_000;
const now = new Date(2026, 10, 21, 15, 0);
const after = (milliseconds: number) => new Date(now.getTime() + milliseconds);

function aStorage(values: Record<string, string> = {}) {
  const stored = new Map(Object.entries(values));
  return {
    stored,
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
}
const armed = (storage: ReturnType<typeof aStorage>, at: Date) =>
  mayShowPopup(readNewsletterState(storage), at);

describe("the exit-intent popup is", () => {
  it("armed for a first-time visitor", () => {
    expect(armed(aStorage(), now)).toBe(true);
  });

  it("never armed for a subscriber", () => {
    const storage = aStorage();
    saveSubscribed(storage);
    expect(storage.stored.get("newsletterSubscribed")).toBe("true");
    expect(armed(storage, after(400 * DAY))).toBe(false);
  });

  it("not armed within 7 days of being shown, and armed again after them", () => {
    const storage = aStorage();
    saveShown(storage, now);
    expect(storage.stored.get("exitIntentShown")).toBe(String(now.getTime()));
    expect(armed(storage, after(1))).toBe(false);
    expect(armed(storage, after(7 * DAY - 1))).toBe(false);
    expect(armed(storage, after(7 * DAY))).toBe(true);
  });

  it("not armed on the day of a dismissal, regardless of other stored values", () => {
    const storage = aStorage({ exitIntentDismissedToday: dayOf(now) });
    expect(armed(storage, after(60_000))).toBe(false);
    expect(armed(storage, after(DAY))).toBe(true);
  });

  it("stored away by a dismissal, which counts as being shown too", () => {
    const storage = aStorage();
    saveDismissed(storage, now);
    expect(storage.stored.get("exitIntentDismissedToday")).toBe("2026-11-21");
    expect(armed(storage, after(DAY))).toBe(false);
    expect(armed(storage, after(7 * DAY))).toBe(true);
  });

  it("not stopped by a storage that is full", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const full = {
      setItem: () => {
        throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
      },
    };
    for (const save of [saveSubscribed, saveShown, saveDismissed]) {
      expect(() => save(full, now)).not.toThrow();
    }
    expect(warn).toHaveBeenCalledTimes(4);
    warn.mockRestore();
  });

  it("not disabled by invalid stored values", () => {
    expect(armed(aStorage({ exitIntentShown: "yesterday", newsletterSubscribed: "no" }), now)).toBe(true);
  });
});

describe("watching the top edge", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function watched() {
    const page = new EventTarget();
    const open = vi.fn();
    const covered = { now: false };
    const stop = watchTopEdge(page, () => covered.now, open);
    const leave = (clientY: number) =>
      page.dispatchEvent(Object.assign(new Event("mouseleave"), { clientY }));
    const enter = () => page.dispatchEvent(new Event("mouseenter"));
    return { open, covered, stop, leave, enter };
  }

  it("opens 500 ms after the mouse left through it", () => {
    const { open, leave } = watched();
    leave(-1);
    vi.advanceTimersByTime(499);
    expect(open).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(open).toHaveBeenCalledOnce();
  });

  it("does not open when the mouse left elsewhere", () => {
    const { open, leave } = watched();
    leave(400);
    vi.advanceTimersByTime(5000);
    expect(open).not.toHaveBeenCalled();
  });

  it("does not open if the pointer returns in time, and opens when it leaves again", () => {
    const { open, leave, enter } = watched();
    leave(-1);
    vi.advanceTimersByTime(400);
    enter();
    vi.advanceTimersByTime(5000);
    expect(open).not.toHaveBeenCalled();
    leave(0);
    vi.advanceTimersByTime(500);
    expect(open).toHaveBeenCalledOnce();
  });

  it("does not open under a layer, and keeps watching", () => {
    const { open, covered, leave } = watched();
    covered.now = true;
    leave(-1);
    vi.advanceTimersByTime(5000);
    expect(open).not.toHaveBeenCalled();
    covered.now = false;
    leave(-1);
    vi.advanceTimersByTime(500);
    expect(open).toHaveBeenCalledOnce();
  });

  it("opens once", () => {
    const { open, leave } = watched();
    leave(-1);
    vi.advanceTimersByTime(500);
    leave(-1);
    vi.advanceTimersByTime(5000);
    expect(open).toHaveBeenCalledOnce();
  });

  it("ends when the popup has opened", () => {
    const { open, stop, leave } = watched();
    leave(-1);
    stop();
    leave(-1);
    vi.advanceTimersByTime(5000);
    expect(open).not.toHaveBeenCalled();
  });
});
