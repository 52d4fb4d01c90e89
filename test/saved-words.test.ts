import { describe, expect, test } from "vitest";
import { createdOrUpdated, savedWords } from "#site/admin/form/saved-words.ts";
import type { Status } from "#site/admin/publishing/statuses.ts";

const SYDNEY = { language: "en-AU", timeZone: "Australia/Sydney" };
const NINE = Date.parse("2026-11-28T22:00:00Z");

type Form = { savedStatus: Status; savedPlan?: string; firstSave?: "yes" };

function said(form: Form, status: Status, scheduledFor: number | null = null) {
  const data = new FormData();
  for (const [name, value] of Object.entries({ savedPlan: "", ...form })) data.set(name, value);
  const words = savedWords("Episode", data, { status, scheduledFor });
  return typeof words === "string" ? words : words(SYDNEY);
}

describe("the toast of a saved item", () => {
  test.each<[Status, Status, string]>([
    ["draft", "published", "Episode published successfully!"],
    ["scheduled", "published", "Episode published successfully!"],
    ["archived", "published", "Episode published successfully!"],
    ["published", "archived", "Episode archived successfully!"],
    ["published", "draft", "The episode is a draft again"],
    ["archived", "draft", "The episode is a draft again"],
    ["draft", "draft", "Episode updated successfully!"],
    ["published", "published", "Episode updated successfully!"],
    ["archived", "archived", "Episode updated successfully!"],
  ])("names the status that it was given: from %s to %s", (savedStatus, status, words) => {
    expect(said({ savedStatus }, status)).toBe(words);
  });

  test("names the time and the zone that it is scheduled for, and a new time", () => {
    const words = "Episode scheduled for 29 November 2026 at 9:00 am AEDT";
    expect(said({ savedStatus: "draft" }, "scheduled", NINE)).toBe(words);
    expect(said({ savedStatus: "scheduled", savedPlan: String(NINE - 1) }, "scheduled", NINE)).toBe(words);
    const unchanged: Form = { savedStatus: "scheduled", savedPlan: String(NINE) };
    expect(said(unchanged, "scheduled", NINE)).toBe("Episode updated successfully!");
  });

  test("says that a new item is created, unless it is public or planned already", () => {
    const form: Form = { savedStatus: "draft", firstSave: "yes" };
    expect(said(form, "draft")).toBe("Episode created successfully!");
    expect(said(form, "published")).toBe("Episode published successfully!");
    const first = new FormData();
    first.set("firstSave", "yes");
    expect(createdOrUpdated("Letter", first)).toBe("Letter created successfully!");
    expect(createdOrUpdated("Letter", new FormData())).toBe("Letter updated successfully!");
  });
});
