import { socialPostList } from "#worker/social/owner-queries.ts";

export const createSocialPost = socialPostList.create;
export const updateSocialPost = socialPostList.update;
export const deleteSocialPost = socialPostList.remove;
