import { data } from "react-router";
import { errorForPeople } from "#worker/platform/data/unavailable.ts";
import { logWarning } from "#worker/platform/log.ts";

/** In a loader: turns an `AppError` of a use case into a response, whose message the error boundary shows. */
export async function load<T>(useCase: Promise<T>): Promise<T> {
  try {
    return await useCase;
  } catch (error) {
    const known = errorForPeople(error, { isReading: true });
    if (!known) throw error;
    if (known.status === 404) logWarning(`404: ${known.message}`, undefined, { status: 404 });
    throw data({ message: known.message }, { status: known.status });
  }
}
