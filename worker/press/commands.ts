import { pressList } from "#worker/press/owner-queries.ts";

export const createPressItem = pressList.create;
export const updatePressItem = pressList.update;
export const deletePressItem = pressList.remove;
