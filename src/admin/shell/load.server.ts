import { data } from "react-router";
import { AppError } from "#worker/platform/errors.ts";
import { logWarning } from "#worker/platform/log.ts";

/** In a loader: turns an `AppError` of a use case into a response, whose message the error boundary shows. */
export async function load<T>(useCase: Promise<T>): Promise<T> {
  try {
    return await useCase;
  } catch (error) {
    if (error instanceof AppError) {
      if (error.status === 404) logWarning(`404: ${error.message}`, undefined, { status: 404 });
      throw data(error.message, { status: error.status });
    }
    throw error;
  }
}
