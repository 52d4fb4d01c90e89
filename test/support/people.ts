import { comments } from "#worker/comments/table.ts";
import { enquiries } from "#worker/enquiries/table.ts";
import { jobContext } from "./client.ts";
import { unique } from "./factories.ts";

const { db } = jobContext();

export const anAddress = () => `person-${unique()}@example.com`;

/** A message unless said. Returns its id. */
export async function anEnquiry(row: Partial<typeof enquiries.$inferInsert> = {}) {
  const now = new Date();
  const [created] = await db
    .insert(enquiries)
    .values({
      kind: "message",
      status: "new",
      name: "Ada",
      email: anAddress(),
      title: "A question",
      fields: { subject: "A question", message: "Will you speak in Perth?", type: "general" },
      digest: crypto.randomUUID(),
      confirmedAt: now,
      createdAt: now,
      updatedAt: now,
      ...row,
    })
    .returning({ id: enquiries.id });
  return created!.id;
}

/** An approved one at an article unless said. Returns its id. */
export async function aComment(row: Partial<typeof comments.$inferInsert> = {}) {
  const now = new Date();
  const [created] = await db
    .insert(comments)
    .values({
      contentType: "article",
      contentId: 1,
      name: "Ada",
      email: anAddress(),
      text: "Well said.",
      status: "approved",
      createdAt: now,
      updatedAt: now,
      ...row,
    })
    .returning({ id: comments.id });
  return created!.id;
}
