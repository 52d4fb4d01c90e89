import { deletePerson } from "#worker/people/commands.ts";
import type { PersonExportQuery, PersonQuery } from "#worker/people/contract.ts";
import { exportPerson } from "#worker/people/export.ts";
import { readPerson } from "#worker/people/queries.ts";
import { query, router } from "#worker/platform/http/router.ts";
import { today } from "#worker/settings/queries.ts";

const types = { json: "application/json; charset=utf-8", csv: "text/csv; charset=utf-8" };

/** `/api/admin/people` */
export const peopleApi = router()
  .get("/", query<PersonQuery>(), async (c) => c.json(await readPerson(c.var.ctx, c.req.valid("query"))))
  .get("/export", query<PersonExportQuery>(), async (c) => {
    const { format, body } = await exportPerson(c.var.ctx, c.req.valid("query"));
    const day = await today(c.var.ctx);
    return c.body(body, 200, {
      "Content-Type": types[format],
      // Without the address: other people may see the folder of downloads.
      "Content-Disposition": `attachment; filename="person-${day}.${format}"`,
      "Cache-Control": "no-store",
    });
  })
  .delete("/", query<PersonQuery>(), async (c) =>
    c.json(await deletePerson(c.var.ctx, c.req.valid("query"))),
  );
