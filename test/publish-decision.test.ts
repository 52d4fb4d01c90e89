import { describe, expect, test } from "vitest";
import { articleProblems } from "#site/admin/articles/article-check.ts";
import { placesIn, toListIn } from "#site/admin/publishing/publications/summary.ts";
import { DECISION, isMailed, withDecision, type Decision } from "#site/admin/publishing/publish/decision.ts";
import { publishButton } from "#site/admin/publishing/statuses.ts";
import type { Step } from "#worker/publications/contract.ts";

function aForm(fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

describe("the decision in the dialog before publishing", () => {
  const decided = (decision: Decision) =>
    withDecision(aForm({ status: "draft", scheduledFor: "", [DECISION]: JSON.stringify(decision) }));

  test("replaces the form's own status and date", () => {
    const now = decided({ status: "published", at: null, isMailed: false });
    expect(now.getAll("status")).toEqual(["published"]);
    expect(now.getAll("publishedAt")).toEqual([""]);
    const later = decided({ status: "scheduled", at: 2_000_000_000_000, isMailed: false });
    expect(later.getAll("status")).toEqual(["scheduled"]);
    expect(later.getAll("scheduledFor")).toEqual(["2000000000000"]);
    expect(later.has("checked")).toBe(false);
  });

  test("does not change status and date if the form's own fields publish", () => {
    const form = decided({ isMailed: true, checked: "duplicate" });
    expect(form.get("status")).toBe("draft");
    expect(form.get("checked")).toBe("duplicate");
    expect(isMailed(form)).toBe(true);
    expect(isMailed(withDecision(aForm({ status: "draft" })))).toBe(false);
  });
});

test("a draft's main button publishes; an item that the status field publishes has no such button", () => {
  expect(publishButton("draft", "draft")).toBe("primary");
  expect(publishButton("scheduled", "scheduled")).toBe("quiet");
  expect(publishButton("archived", "archived")).toBe("quiet");
  expect(publishButton("published", "published")).toBeUndefined();
  expect(publishButton("draft", "published")).toBeUndefined();
});

test("an essay's check names a missing text, excerpt and description of the picture", () => {
  const messages = (fields: Record<string, string>) =>
    articleProblems(
      aForm({ content: "Words.", excerpt: "In short.", imageFileId: "", imageAlt: "", ...fields }),
    ).map(({ message }) => message);
  expect(messages({})).toEqual([]);
  expect(messages({ content: " \n", excerpt: "" })).toHaveLength(2);
  expect(messages({ imageFileId: "a-file" })).toEqual([expect.stringContaining("isn’t described")]);
  expect(messages({ imageFileId: "a-file", imageAlt: "A gate" })).toEqual([]);
});

describe("the panel of a publication's results", () => {
  const step = (name: Step["name"], state: Step["state"]): Step => ({ name, state, at: 0, detail: "" });

  test("shows successes in one line, and lists only the rest", () => {
    const steps = [
      step("page", "done"),
      step("feed", "done"),
      step("search", "done"),
      step("cache", "done"),
      step("ping", "none"),
      step("letter", "none"),
    ];
    expect(placesIn(steps)).toBe("On the site, in the feed, in search.");
    expect(toListIn(steps)).toEqual([]);
  });

  test("lists failures, pending steps, and why the item is not in the feed", () => {
    const steps = [
      step("page", "done"),
      step("feed", "none"),
      step("search", "failed"),
      step("cache", "done"),
      step("ping", "waiting"),
      step("letter", "waiting"),
    ];
    expect(placesIn(steps)).toBe("On the site.");
    expect(toListIn(steps).map(({ name }) => name)).toEqual(["feed", "search", "ping"]);
    expect(placesIn([step("page", "failed")])).toBe("Not visible yet.");
  });
});
