import { engagementList } from "#worker/speaking/owner-queries.ts";

export const createEngagement = engagementList.create;
export const updateEngagement = engagementList.update;
export const deleteEngagement = engagementList.remove;
