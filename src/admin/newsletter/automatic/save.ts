import { api, ensureOk } from "#site/api.ts";
import { NewAutomaticLetter } from "#worker/automatic-letters/contract.ts";
import { itemActions } from "../../form/item-actions.ts";
import { checkbox, number, text, textToChange } from "../../form/read.ts";
import { act } from "../../form/submit.ts";
import { letterForm } from "../letter-input.ts";
import { LIST } from "./schedule-words.ts";

const { subject, preheader, content, segment, isPublic } = letterForm.fields;

export const automaticActions = itemActions({
  noun: "automatic letter",
  api: api["automatic-letters"],
  list: LIST,
  schema: NewAutomaticLetter,
  fields: {
    draftKey: textToChange,
    name: text,
    isOn: checkbox,
    frequency: text,
    weekday: number,
    monthday: number,
    hour: number,
    items: text,
    mode: text,
    subject,
    preheader,
    content,
    segment,
    isPublic,
  },
});

export const SWITCH = "switch";

/** Switches one on or off. */
export const switchAutomaticLetter = (form: FormData) =>
  act(form, async () => {
    const isOn = form.get("isOn") === "yes";
    const json = { isOn, basedOn: Number(form.get("version")) };
    await ensureOk(api["automatic-letters"][":id"].$patch({ param: { id: String(form.get("id")) }, json }));
    return isOn ? "Automatic letter switched on" : "Automatic letter switched off";
  });
