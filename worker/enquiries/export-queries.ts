import { asc, getTableColumns } from "drizzle-orm";
import { answersOf, toAnswers } from "#worker/enquiries/answers.ts";
import { enquiries } from "#worker/enquiries/table.ts";
import { isNextSlice, jsonList, rowsOf, type Exporter } from "#worker/exports/exported.ts";
import type { Context } from "#worker/platform/context.ts";

/** Applications, messages and requests for a booking, spam included, with notes and answers. */
export const enquiriesForExport: Exporter = (ctx) => [jsonList("enquiries.json", enquiriesOf(ctx))];

async function* enquiriesOf({ db }: Context) {
  const { digest: _digest, box: _box, ...columns } = getTableColumns(enquiries);
  const rows = rowsOf((after) =>
    db
      .select({ ...columns, answers: answersOf })
      .from(enquiries)
      .where(isNextSlice(enquiries.id, after, enquiries.fields, enquiries.notes, answersOf))
      .orderBy(asc(enquiries.id)),
  );
  for await (const { answers, ...row } of rows) yield { ...row, answers: toAnswers(answers) };
}
