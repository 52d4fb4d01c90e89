import { api, ApiError, ensureOk, readJson } from "#site/api.ts";
import type { NewFile, StoredFile, Upload } from "#worker/files/contract.ts";
import type { ErrorBody } from "#worker/platform/errors.ts";

/** The server as the uploader sees it. An error throws `ApiError`, a lost connection a `TypeError`. */
export type UploadApi = {
  start(file: NewFile): Promise<Upload>;
  read(id: string): Promise<Upload>;
  put(id: string, number: number, bytes: ArrayBuffer, options: PutOptions): Promise<Upload>;
  complete(id: string): Promise<StoredFile>;
  remove(id: string): Promise<unknown>;
};

type PutOptions = { signal: AbortSignal; onProgress: (sent: number) => void };

const param = (id: string) => ({ param: { id } });

export const uploadApi: UploadApi = {
  start: (file) => readJson(api.files.$post({ json: file })),
  read: (id) => readJson(api.files[":id"].$get(param(id))),
  put,
  complete: (id) => readJson(api.files[":id"].complete.$post(param(id))),
  remove: (id) => ensureOk(api.files[":id"].$delete(param(id))),
};

/** XMLHttpRequest, because fetch does not report the progress of a request body. */
function put(id: string, number: number, bytes: ArrayBuffer, { signal, onProgress }: PutOptions) {
  const { promise, resolve, reject } = Promise.withResolvers<Upload>();
  const request = new XMLHttpRequest();
  request.open("PUT", `/api/admin/files/${id}/parts/${number}`);
  request.setRequestHeader("Content-Type", "application/octet-stream");
  request.responseType = "json";
  request.upload.addEventListener("progress", ({ loaded }) => onProgress(loaded));
  request.addEventListener("load", () => {
    if (request.status < 300) resolve(request.response as Upload);
    else reject(errorOf(request));
  });
  request.addEventListener("error", () => reject(new TypeError("The connection was lost.")));
  request.addEventListener("abort", () => reject(new DOMException("Stopped", "AbortError")));
  signal.addEventListener("abort", () => request.abort(), { once: true });
  request.send(bytes);
  return promise;
}

function errorOf({ status, response }: XMLHttpRequest) {
  const body = response as ErrorBody | null;
  return new ApiError(status, body?.error ?? { code: "internal", message: "Upload failed" });
}
