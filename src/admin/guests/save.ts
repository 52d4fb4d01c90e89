import { replace } from "react-router";
import { api, ensureOk, readJson } from "#site/api.ts";
import { NewGuest, type EnquiryKind } from "#worker/enquiries/contract.ts";
import {
  changeOf,
  EnquiryAnswer,
  EpisodeChoice,
  type EnquiryChange,
  type EnquirySummary,
} from "#worker/enquiries/owner/contract.ts";
import { number, object, text } from "../form/read.ts";
import type { FormResult } from "../form/result.ts";
import { act, basedOnOf, intentOf, saved, submit } from "../form/submit.ts";
import { undoDeletion } from "../lists/undo-deletion.ts";
import { toast } from "../shell/toast.tsx";
import { guestPaths, kinds } from "./enquiry-kinds.ts";

const clients = {
  application: api["guest-applications"],
  message: api["contact-messages"],
  booking: api["speaking-bookings"],
};

/** The response type that `ensureOk` expects. */
type Answer = Parameters<typeof ensureOk>[0] extends Promise<infer A> ? A : never;

const paramOf = (form: FormData) => ({ id: String(form.get("id")) });

const change = (kind: EnquiryKind, form: FormData, json: EnquiryChange) =>
  ensureOk<Answer>(clients[kind][":id"].$patch({ param: paramOf(form), json }));

/** Handles the forms of lists and pages of enquiries. */
export async function saveEnquiry(kind: EnquiryKind, request: Request) {
  const form = await request.formData();
  // A dialog's intent also has the time when it was opened.
  switch (intentOf(form).split(" ")[0]) {
    case "approve":
      return decide(form, "approved");
    case "reject":
      return decide(form, "rejected");
    case "done":
      return act(form, () => change(kind, form, { status: "done" }).then(() => "Marked as done"));
    case "reopen":
      return act(form, () => change(kind, form, { status: "read" }).then(() => "Opened again"));
    case "spam":
      return act(form, () => change(kind, form, { isSpam: true }).then(() => "Marked as spam"));
    case "not-spam":
      return act(form, () => change(kind, form, { isSpam: false }).then(() => "Moved out of spam"));
    case "seen":
      // Automatic, so show no error: it is retried when the page is opened again.
      return change(kind, form, { isSeen: true }).then(
        () => null,
        (error: unknown) => void console.warn("guests:", error),
      );
    case "notes":
      return saveNotes(kind, form);
    case "email":
      return sendMail(kind, form);
    case "cancel-recording":
      return act(form, async () => {
        await ensureOk(api["guest-applications"][":id"].cancellation.$post({ param: paramOf(form) }));
        return "Recording cancelled";
      });
    case "guest":
      return addGuest(form, request.url);
    case "add":
      return createGuest(form, request.url);
    case "engagement":
      return act(form, async () => {
        await ensureOk(api["speaking-bookings"][":id"].engagement.$post({ param: paramOf(form) }));
        return "Speaking engagement created successfully";
      });
    default:
      return remove(kind, form);
  }
}

/** An action's answer after a decision on an application. */
export type Decided = FormResult & { decided: EnquirySummary<"application"> };

/** For applications only. */
const decide = (form: FormData, status: "approved" | "rejected") =>
  act(
    form,
    async (): Promise<Decided> => {
      const decided = await readJson(
        api["guest-applications"][":id"].$patch({ param: paramOf(form), json: { status } }),
      );
      return { ...saved(form, `Application ${status} successfully`), decided };
    },
    {
      unexpected: "",
      toast: (why) => ["Failed to update application status", why].filter(Boolean).join(". "),
    },
  );

const saveNotes = (kind: EnquiryKind, form: FormData) =>
  submit(form, {
    fields: { notes: text },
    schema: changeOf[kind],
    async send({ notes }) {
      await change(kind, form, { notes, basedOn: basedOnOf(form) });
      return "Notes saved";
    },
  });

/** Null unless the form has its fields. */
const recording = (form: FormData, name: string) =>
  form.has(`${name}.at`) ? object({ at: number, minutes: number, place: text })(form, name) : null;

const sendMail = (kind: EnquiryKind, form: FormData) =>
  submit(form, {
    fields: { subject: text, message: text, recording },
    schema: EnquiryAnswer,
    words: { toast: () => "Failed to send email" },
    async send(json) {
      await ensureOk<Answer>(clients[kind][":id"].email.$post({ param: paramOf(form), json }));
      return "Email sent successfully";
    },
  });

/** The list without the dialog that sent the form; null for a form on a page. */
function listBehind(url: string) {
  const { pathname, searchParams } = new URL(url);
  return pathname === kinds.application.list ? guestPaths.listPath(searchParams) : null;
}

const addGuest = (form: FormData, url: string) =>
  submit(form, {
    fields: { episodeId: number },
    schema: EpisodeChoice,
    async send(json) {
      const { episode } = await readJson(
        api["guest-applications"][":id"].guest.$post({ param: paramOf(form), json }),
      );
      const done = `Guest of “${episode?.title}”`;
      const list = listBehind(url);
      if (list === null) return saved(form, done);
      toast.success(done);
      return replace(list);
    },
  });

const createGuest = (form: FormData, url: string) =>
  submit(form, {
    fields: { name: text, email: text, topic: text, linkedinProfile: text, position: text },
    schema: NewGuest,
    async send(json) {
      await ensureOk(api["guest-applications"].$post({ json }));
      toast.success("Guest added");
      return replace(listBehind(url) ?? kinds.application.list);
    },
  });

const remove = (kind: EnquiryKind, form: FormData) =>
  act(form, async () => {
    await ensureOk(clients[kind][":id"].$delete({ param: paramOf(form) }));
    toast.success("Deleted", { undo: undoDeletion("enquiry", form.get("id")) });
    return replace(kinds[kind].list);
  });
