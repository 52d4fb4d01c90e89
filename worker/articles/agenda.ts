import { articles } from "#worker/articles/table.ts";
import { agendaOf } from "#worker/platform/agenda.ts";

/** SQL: what is under way. */
export const articlesAgenda = (counted: number) => agendaOf(articles, counted);
