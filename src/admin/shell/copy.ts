import { toast } from "./toast.tsx";

/** Copies a text and shows a toast: "Link copied". `what`: "address". */
export async function copyText(text: string, done: string, what: string) {
  try {
    await navigator.clipboard.writeText(text);
    toast.success(done);
  } catch (error) {
    // Without permission, or over plain HTTP.
    console.warn("clipboard:", error);
    toast.error(`Copying isn’t allowed here. Select the ${what} and copy it.`);
  }
}
