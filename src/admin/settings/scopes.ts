import type { Scope } from "#worker/access/contract.ts";

export const scopeNames: Record<Scope, string> = {
  "public:read": "Read what is public",
  "drafts:read": "Read drafts and files",
  "articles:write": "Read and write articles",
  "episodes:write": "Read and write episodes, and upload files",
  publish: "Publish, schedule and withdraw",
  "letters:write": "Write letters",
  "letters:send": "Send letters",
  subscribers: "Read and change subscribers",
  enquiries: "Read and sort enquiries",
  figures: "Read the figures",
};

/** The scopes as the form shows them. */
export const scopeGroups: { title: string; scopes: Scope[] }[] = [
  { title: "Read", scopes: ["public:read", "drafts:read", "figures"] },
  { title: "Write drafts", scopes: ["articles:write", "episodes:write", "letters:write"] },
  { title: "Make public", scopes: ["publish", "letters:send"] },
  { title: "People’s data", scopes: ["subscribers", "enquiries"] },
];
