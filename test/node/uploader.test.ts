import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "#site/api.ts";
import { FileUpload, problemOf } from "#site/admin/files/upload.ts";
import type { UploadApi } from "#site/admin/files/upload-api.ts";
import type { StoredFile, Upload } from "#worker/files/contract.ts";

const PART = 4;
const events = new EventTarget();
const browser = { onLine: true };

beforeEach(() => {
  const stored = new Map<string, string>();
  browser.onLine = true;
  vi.useFakeTimers();
  vi.stubGlobal("navigator", browser);
  vi.stubGlobal("addEventListener", events.addEventListener.bind(events));
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const apiError = (status: number, message = "No") => new ApiError(status, { code: "internal", message });
const lost = () => new TypeError("The connection was lost.");

/** A server that stores parts in memory, and fails on request. */
function fakeServer() {
  const uploads = new Map<string, { upload: Upload; bytes: number[] }>();
  const failures: { of: keyof UploadApi; error: Error; afterwards?: boolean }[] = [];
  const calls: string[] = [];
  const uploadOf = (id: string) => {
    const found = uploads.get(id);
    if (!found) throw apiError(404, "This upload no longer exists. Choose the file again.");
    return found;
  };
  const step = async <T>(of: keyof UploadApi, call: string, work: () => T): Promise<T> => {
    calls.push(call);
    await Promise.resolve();
    const at = failures.findIndex((failure) => failure.of === of);
    const [failure] = at === -1 ? [] : failures.splice(at, 1);
    if (failure && !failure.afterwards) throw failure.error;
    const result = work();
    if (failure) throw failure.error;
    return result;
  };
  const uploadApi: UploadApi = {
    start: ({ name, size }) =>
      step("start", "start", () => {
        const id = `upload-${uploads.size + 1}`;
        const parts = Math.ceil(size / PART);
        const upload = { id, name, size, partSize: PART, received: 0, parts, status: "uploading" as const };
        uploads.set(id, { upload, bytes: [] });
        return { ...upload };
      }),
    read: (id) => step("read", `read ${id}`, () => ({ ...uploadOf(id).upload })),
    put: (id, number, bytes) =>
      step("put", `put ${number}`, () => {
        const { upload, bytes: all } = uploadOf(id);
        if (number !== upload.received + 1)
          throw apiError(409, `Part ${upload.received + 1} is expected next.`);
        all.push(...new Uint8Array(bytes));
        upload.received = number;
        return { ...upload };
      }),
    complete: (id) =>
      step("complete", "complete", () => ({ id, name: uploadOf(id).upload.name }) as StoredFile),
    remove: (id) => step("remove", `remove ${id}`, () => uploads.delete(id)),
  };
  const fail = (of: keyof UploadApi, error: Error, { afterwards = false } = {}) =>
    failures.push({ of, error, afterwards });
  return { uploadApi, uploads, calls, fail };
}

const contents = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const theFile = () => new File([new Uint8Array(contents)], "a.mp3", { type: "audio/mpeg", lastModified: 5 });

const begin = (server: ReturnType<typeof fakeServer>, file = theFile()) =>
  new FileUpload({
    file,
    folder: "podcast-audio",
    field: "/admin/podcast/new#audioFileId",
    uploadApi: server.uploadApi,
  });

const reaches = (upload: FileUpload, phase: string) =>
  vi.waitFor(() => expect(upload.getState().phase).toBe(phase), { interval: 1, timeout: 60_000 });

const bytesAt = (server: ReturnType<typeof fakeServer>, id: string) => server.uploads.get(id)?.bytes;

test("a file is uploaded in parts, in order, and becomes the field's value", async () => {
  const server = fakeServer();
  const upload = begin(server);
  await reaches(upload, "done");
  expect(upload.getState()).toMatchObject({ sent: 10, size: 10, file: { id: "upload-1" } });
  expect(bytesAt(server, "upload-1")).toEqual(contents);
  expect(server.calls).toEqual(["start", "put 1", "put 2", "put 3", "complete"]);
});

test.each([
  ["a lost connection", lost()],
  ["a broken server", apiError(500)],
  ["a busy server", apiError(429)],
])("after %s the upload waits, and asks the server for its progress", async (_what, error) => {
  const server = fakeServer();
  server.fail("put", error);
  const upload = begin(server);
  await reaches(upload, "waiting");
  await vi.advanceTimersByTimeAsync(1000);
  await reaches(upload, "done");
  expect(server.calls).toEqual(["start", "put 1", "read upload-1", "put 1", "put 2", "put 3", "complete"]);
});

test("a part whose answer was lost is not sent again", async () => {
  const server = fakeServer();
  server.fail("put", lost(), { afterwards: true });
  const upload = begin(server);
  await reaches(upload, "waiting");
  await vi.advanceTimersByTimeAsync(1000);
  await reaches(upload, "done");
  expect(server.calls).toEqual(["start", "put 1", "read upload-1", "put 2", "put 3", "complete"]);
  expect(bytesAt(server, "upload-1")).toEqual(contents);
});

test("being online again ends the wait, and without a network it does not end", async () => {
  const server = fakeServer();
  server.fail("put", lost());
  browser.onLine = false;
  const upload = begin(server);
  await reaches(upload, "waiting");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(upload.getState().phase).toBe("waiting");
  browser.onLine = true;
  events.dispatchEvent(new Event("online"));
  await reaches(upload, "done");
});

test("an upload that keeps failing pauses until the user resumes it", async () => {
  const server = fakeServer();
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  for (let tries = 0; tries < 9; tries++) server.fail(tries === 0 ? "put" : "read", lost());
  const upload = begin(server);
  await vi.advanceTimersByTimeAsync(200_000);
  expect(upload.getState()).toMatchObject({ phase: "failed", error: "Upload failed", canResume: true });
  expect(log).toHaveBeenCalled();
  upload.resume();
  await reaches(upload, "done");
});

test("an expired session stops an upload, which resumes after signing in", async () => {
  const server = fakeServer();
  const upload = begin(server);
  server.fail("put", apiError(401, "Please sign in."));
  await reaches(upload, "signed-out");
  expect(upload.getState().error).toContain("Sign in again");
  upload.resume();
  await reaches(upload, "done");
  expect(bytesAt(server, "upload-1")).toEqual(contents);
});

test("pausing sends nothing more until it is resumed", async () => {
  const server = fakeServer();
  const upload = begin(server);
  const stop = upload.subscribe(() => {
    if (upload.getState().sent === PART) upload.pause();
  });
  await reaches(upload, "paused");
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.calls).toEqual(["start", "put 1"]);
  upload.resume();
  await reaches(upload, "done");
  expect(bytesAt(server, "upload-1")).toEqual(contents);
});

test("the same file chosen after a reload resumes at the server's part", async () => {
  const server = fakeServer();
  server.fail("put", apiError(401));
  const before = begin(server);
  await reaches(before, "signed-out");
  server.uploads.get("upload-1")!.upload.received = 1;
  const after = begin(server);
  await reaches(after, "done");
  expect(server.calls).toEqual(["start", "put 1", "read upload-1", "put 2", "put 3", "complete"]);
});

test("another file starts again, and so does one that the server has forgotten", async () => {
  const server = fakeServer();
  server.fail("put", apiError(401));
  await reaches(begin(server), "signed-out");
  const other = new File([new Uint8Array(contents)], "a.mp3", { type: "audio/mpeg", lastModified: 6 });
  await reaches(begin(server, other), "done");
  expect(bytesAt(server, "upload-2")).toEqual(contents);
  server.uploads.delete("upload-1");
  const again = begin(server);
  await reaches(again, "done");
  expect(again.getState().file?.id).toBe("upload-2");
  expect(server.calls.filter((call) => call === "start").length).toBe(3);
});

test("an error is final and shown in the server's words", async () => {
  const server = fakeServer();
  server.fail("put", apiError(415, "Invalid file type"));
  const upload = begin(server);
  await reaches(upload, "failed");
  expect(upload.getState()).toMatchObject({ error: "Invalid file type", canResume: false });
});

test("a file that the disk no longer gives is said so", async () => {
  const server = fakeServer();
  const file = theFile();
  vi.spyOn(file, "slice").mockReturnValue({
    arrayBuffer: () => Promise.reject(new DOMException("gone", "NotReadableError")),
  } as unknown as Blob);
  const upload = begin(server, file);
  await reaches(upload, "failed");
  expect(upload.getState().error).toBe("This file can no longer be read. Choose it again.");
});

test("cancelling deletes the server's parts, even before the first response", async () => {
  const server = fakeServer();
  const upload = begin(server);
  await upload.cancel();
  expect(upload.getState().phase).toBe("cancelled");
  expect(server.uploads.size).toBe(0);
  expect(server.calls).toEqual(["start", "remove upload-1"]);
});

test.each([
  [{ size: 0, type: "audio/mpeg" }, "The file is empty."],
  [{ size: 500 * 1024 * 1024, type: "audio/mpeg" }, "File size must be less than 500MB"],
  [{ size: 10, type: "text/plain" }, "Invalid file type"],
  [{ size: 10, type: "audio/mpeg" }, null],
])("before anything is sent, %o: %s", (file, problem) => {
  expect(problemOf(file, "podcast-audio")).toBe(problem);
});
