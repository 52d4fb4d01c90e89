import { api, ensureOk } from "#site/api.ts";
import { NewVenture } from "#worker/ventures/contract.ts";
import { itemActions } from "../form/item-actions.ts";
import { checkbox, numberOrZero, text, textOrNull, textToChange } from "../form/read.ts";
import { orderSaver } from "../lists/ordered-list.tsx";

export const ventureActions = itemActions({
  noun: "venture",
  api: api.ventures,
  list: "/admin/ventures",
  schema: NewVenture,
  fields: {
    draftKey: textToChange,
    name: text,
    url: text,
    description: text,
    icon: text,
    sortOrder: numberOrZero,
    imageFileId: textOrNull,
    active: checkbox,
  },
});

export const reorderVentures = orderSaver({
  noun: "Ventures",
  send: (ids) => ensureOk(api.ventures.order.$put({ json: { ids } })),
});
