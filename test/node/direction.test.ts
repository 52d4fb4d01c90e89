import assert from "node:assert/strict";
import { test } from "vitest";
import { directionOf } from "#worker/platform/text/direction.ts";

test("languages of scripts that are written from right to left have a direction", () => {
  for (const language of [
    "ar",
    "ar-EG",
    "he",
    "iw",
    "fa",
    "ur-PK",
    "yi",
    "dv",
    "syr",
    "nqo",
    "ff-Adlm",
    "pa-PK",
  ])
    assert.equal(directionOf(language), "rtl", language);
});

test("others, and those that are written in Latin letters for once, have none", () => {
  for (const language of ["en-AU", "de", "zh-Hant", "el", "hi", "ar-Latn", "qaa"])
    assert.equal(directionOf(language), undefined, language);
});
