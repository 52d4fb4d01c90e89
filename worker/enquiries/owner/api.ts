import type { EnquiryKind, NewGuest } from "#worker/enquiries/contract.ts";
import { deleteEnquiry, updateEnquiry } from "#worker/enquiries/owner/commands.ts";
import {
  EnquiryListQuery,
  type EnquiryAnswer,
  type EnquiryChange,
  type EpisodeChoice,
} from "#worker/enquiries/owner/contract.ts";
import { bookEngagement } from "#worker/enquiries/owner/engagement-commands.ts";
import { exportEnquiries } from "#worker/enquiries/owner/export.ts";
import { addGuest, createGuest } from "#worker/enquiries/owner/guest-commands.ts";
import { sendEnquiryMail } from "#worker/enquiries/owner/mail-commands.ts";
import { cancelRecording } from "#worker/enquiries/owner/recording.ts";
import { listEnquiries, readEnquiry } from "#worker/enquiries/owner/queries.ts";
import { IdParam } from "#worker/platform/contract.ts";
import { json, router, valid } from "#worker/platform/http/router.ts";
import { today } from "#worker/settings/queries.ts";

/** The routes of every kind; `file` is the name of the export. */
const enquiriesAdminApi = <K extends EnquiryKind>(kind: K, file: string) =>
  router()
    .get("/", valid("query", EnquiryListQuery), async (c) =>
      c.json(await listEnquiries(c.var.ctx, kind, c.req.valid("query"))),
    )
    .get("/export", async (c) => {
      const csv = await exportEnquiries(c.var.ctx, kind);
      const day = await today(c.var.ctx);
      return c.body(csv, 200, {
        "Content-Type": "text/csv; charset=utf-8",
        "Content-Disposition": `attachment; filename="${file}-${day}.csv"`,
        "Cache-Control": "no-store",
      });
    })
    .get("/:id", valid("param", IdParam), async (c) =>
      c.json(await readEnquiry(c.var.ctx, kind, c.req.valid("param").id)),
    )
    .patch("/:id", valid("param", IdParam), json<EnquiryChange>(), async (c) =>
      c.json(await updateEnquiry(c.var.ctx, kind, c.req.valid("param").id, c.req.valid("json"))),
    )
    .delete("/:id", valid("param", IdParam), async (c) => {
      await deleteEnquiry(c.var.ctx, kind, c.req.valid("param").id);
      return c.body(null, 204);
    })
    .post("/:id/email", valid("param", IdParam), json<EnquiryAnswer>(), async (c) =>
      c.json(await sendEnquiryMail(c.var.ctx, kind, c.req.valid("param").id, c.req.valid("json"))),
    );

export const applicationsAdminApi = enquiriesAdminApi("application", "guest-applications")
  .post("/", json<NewGuest>(), async (c) => c.json(await createGuest(c.var.ctx, c.req.valid("json")), 201))
  .post("/:id/guest", valid("param", IdParam), json<EpisodeChoice>(), async (c) =>
    c.json(await addGuest(c.var.ctx, c.req.valid("param").id, c.req.valid("json"))),
  )
  .post("/:id/cancellation", valid("param", IdParam), async (c) =>
    c.json(await cancelRecording(c.var.ctx, c.req.valid("param").id)),
  );

export const messagesAdminApi = enquiriesAdminApi("message", "contact-messages");

export const bookingsAdminApi = enquiriesAdminApi("booking", "speaking-bookings").post(
  "/:id/engagement",
  valid("param", IdParam),
  async (c) => c.json(await bookEngagement(c.var.ctx, c.req.valid("param").id)),
);
