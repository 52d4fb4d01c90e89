/** What a run of the queue is called. */
export type QueuedWork = "import" | "restore";

export const sentence = (work: QueuedWork) => (work === "import" ? "Import" : "Restore");

/**
 * An import source that uses the queue: the page that lists its imports, its texts, and the page of an item's result.
 */
export type QueuedSource = {
  title: string;
  path: string;
  one: string;
  many: string;
  resultPath: (result: string) => string;
};

export const movedArticles: QueuedSource = {
  title: "Import articles",
  path: "/admin/articles/elsewhere",
  one: "article",
  many: "articles",
  resultPath: (id) => `/admin/articles/${id}`,
};

export const movedEpisodes: QueuedSource = {
  title: "Move a podcast here",
  path: "/admin/podcast/move",
  one: "episode",
  many: "episodes",
  resultPath: (id) => `/admin/podcast/${id}`,
};
