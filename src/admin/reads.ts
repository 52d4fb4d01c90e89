import { data } from "react-router";
import { AppError } from "#worker/platform/errors.ts";

/** In a loader: a use case's refusal becomes an answer with its status, whose words the error boundary shows. */
export async function read<T>(useCase: Promise<T>): Promise<T> {
  try {
    return await useCase;
  } catch (error) {
    if (error instanceof AppError) throw data(error.message, { status: error.status });
    throw error;
  }
}
