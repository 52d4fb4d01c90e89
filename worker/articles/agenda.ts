import { articles } from "#worker/articles/table.ts";
import { agendaOf } from "#worker/platform/data/agenda.ts";

/** SQL: the drafts and scheduled articles. */
export const articlesAgenda = (counted: number) => agendaOf(articles, counted);
