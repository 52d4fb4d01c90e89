import { eq } from "drizzle-orm";
import { everybody } from "#worker/letters/contract.ts";
import { deliveries, letters } from "#worker/letters/table.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import { jobContext } from "./client.ts";
import { unique } from "./factories.ts";

const { db, now } = jobContext();

type Status = (typeof subscribers.$inferSelect)["status"];

/** A confirmed subscriber. */
export async function subscriber(status: Status = "active") {
  const id = crypto.randomUUID();
  const email = `reader-${unique()}@example.com`;
  await db.insert(subscribers).values({
    id,
    email,
    status,
    source: "footer",
    subscribedAt: now,
    consent: "Yes.",
    verifiedAt: now,
    stamp: id,
  });
  return {
    id,
    email,
    read: async () => (await db.select().from(subscribers).where(eq(subscribers.id, id)))[0]!,
  };
}

/** A letter sent to a subscriber, with the provider's id. */
export async function letterTo({ id: subscriberId }: { id: string }) {
  const [letter] = await db
    .insert(letters)
    .values({
      subject: "A letter",
      preheader: "",
      status: "sent",
      segment: everybody,
      isPublic: true,
      createdAt: now,
      updatedAt: now,
      embeddedFileIds: [],
      content: "",
      contentHtml: "",
    })
    .returning({ id: letters.id });
  const letterId = letter!.id;
  const providerId = crypto.randomUUID();
  await db.insert(deliveries).values({ letterId, subscriberId, status: "sent", notBefore: now, providerId });
  const read = async () => {
    const [counts] = await db.select().from(letters).where(eq(letters.id, letterId));
    const [delivery] = await db.select().from(deliveries).where(eq(deliveries.providerId, providerId));
    return { bounced: counts!.bounced, complained: counts!.complained, feedback: delivery!.feedback };
  };
  return { letterId, providerId, read };
}
