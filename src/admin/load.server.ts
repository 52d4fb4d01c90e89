import { data } from "react-router";
import { AppError } from "#worker/platform/errors.ts";

/** In a loader: turns an `AppError` of a use case into a response, whose message the error boundary shows. */
export async function load<T>(useCase: Promise<T>): Promise<T> {
  try {
    return await useCase;
  } catch (error) {
    if (error instanceof AppError) throw data(error.message, { status: error.status });
    throw error;
  }
}
