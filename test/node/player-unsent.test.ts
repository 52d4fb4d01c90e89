import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { KEY } from "#site/player/listener.ts";
import { addToStoredAnswer, ANSWER_KEY, readStoredAnswer, storeAnswer } from "#site/player/stored-answer.ts";
import {
  addUnsent,
  isFinal,
  parseUnsent,
  readUnsent,
  removeUnsent,
  sendUnsent,
  serializeUnsent,
  UNSENT_KEY,
  withoutProgress,
  withProgress,
} from "#site/player/unsent-progress.ts";
import "../support/property-seed.ts";

const at = (seconds: number, completed = false) => ({ seconds, completed });

describe("unsent progress", () => {
  it("is stored as text and read again, in its order", () => {
    const unsent = withProgress(withProgress(new Map(), 7, at(40)), 3, at(9, true));
    expect([...parseUnsent(serializeUnsent(unsent))]).toEqual([
      [7, at(40)],
      [3, at(9, true)],
    ]);
  });

  it("is dropped if it is malformed", () => {
    const entries = [
      [1, at(5)],
      [2, at(-5)],
      [3, { seconds: "5", completed: false }],
      [4, { seconds: 5 }],
      ["5", at(5)],
      [6, null],
      null,
      7,
    ];
    expect([...parseUnsent(JSON.stringify(entries))]).toEqual([[1, at(5)]]);
    for (const text of [null, "", "{", "null", "3", '{"1":2}']) expect(parseUnsent(text).size).toBe(0);
  });

  it("is read without an error from invalid stored data", () => {
    fc.assert(fc.property(fc.json(), (text) => parseUnsent(text).size <= 50));
  });

  it("is stored for the 50 latest episodes, each once", () => {
    let unsent = parseUnsent(null);
    for (let id = 1; id <= 60; id++) unsent = withProgress(unsent, id, at(id));
    unsent = withProgress(unsent, 20, at(99));
    expect(unsent.size).toBe(50);
    expect([...unsent.keys()].slice(0, 2)).toEqual([11, 12]);
    expect([...unsent].at(-1)).toEqual([20, at(99)]);
  });

  it("is deleted once confirmed, unless newer progress exists", () => {
    const unsent = withProgress(new Map(), 1, at(40));
    expect(withoutProgress(unsent, 1, at(40)).size).toBe(0);
    expect(withoutProgress(unsent, 1, at(25))).toBe(unsent);
    expect(withoutProgress(unsent, 1, at(40, true))).toBe(unsent);
    expect(withoutProgress(unsent, 2, at(40))).toBe(unsent);
  });

  it.each([
    [200, true],
    [204, true],
    [400, true],
    [404, true],
    [429, false],
    [500, false],
    [503, false],
  ])("an answer of %d is final: %s", (status, expected) => {
    expect(isFinal(new Response(null, { status }))).toBe(expected);
  });
});

/** A storage that takes no more than `room` characters of a value. */
function createStorage(room = Number.POSITIVE_INFINITY) {
  const items = new Map([[KEY, "user_0123456789abcdef0123456789abcdef"]]);
  return {
    getItem: (key: string) => items.get(key) ?? null,
    removeItem: (key: string) => void items.delete(key),
    setItem(key: string, value: string) {
      if (value.length > room) throw new DOMException("Full", "QuotaExceededError");
      items.set(key, value);
    },
  };
}

describe("the browser's storage of unsent progress", () => {
  const local = createStorage();
  beforeEach(() => vi.stubGlobal("localStorage", local));
  afterEach(() => {
    for (const [id, progress] of readUnsent()) removeUnsent(id, progress);
    vi.unstubAllGlobals();
  });

  it("has it until it is answered", () => {
    addUnsent(1, at(40));
    addUnsent(1, at(55));
    removeUnsent(1, at(40));
    expect([...readUnsent()]).toEqual([[1, at(55)]]);
    expect(local.getItem(UNSENT_KEY)).toContain("55");
    removeUnsent(1, at(55));
    expect(local.getItem(UNSENT_KEY)).toBeNull();
  });

  it("is empty for a new listener, and is not taken from another one", () => {
    addUnsent(1, at(40));
    const id = local.getItem(KEY)!;
    local.removeItem(KEY);
    expect(readUnsent().size).toBe(0);
    addUnsent(2, at(10));
    local.setItem(KEY, id);
    expect([...readUnsent()]).toEqual([[2, at(10)]]);
  });

  it("may be full or forbidden: then it lasts as long as the document", () => {
    vi.stubGlobal("localStorage", createStorage(4));
    addUnsent(1, at(40));
    expect([...readUnsent()]).toEqual([[1, at(40)]]);
    removeUnsent(1, at(40));
    expect(readUnsent().size).toBe(0);
  });

  it("is sent one after the other, until one has to wait", async () => {
    for (const id of [1, 2, 3]) addUnsent(id, at(id * 10));
    const sent: number[] = [];
    const send = (refused: number) => (id: number) => {
      sent.push(id);
      if (id === refused) return Promise.resolve(false);
      removeUnsent(id, at(id * 10));
      return Promise.resolve(true);
    };
    await Promise.all([sendUnsent(send(2)), sendUnsent(send(2))]);
    expect(sent).toEqual([1, 2]);
    await sendUnsent(send(0));
    expect(sent).toEqual([1, 2, 2, 3]);
    expect(readUnsent().size).toBe(0);
  });

  it("is not sent if it was confirmed or replaced in the meantime", async () => {
    for (const id of [1, 2, 3]) addUnsent(id, at(id * 10));
    const sent: unknown[] = [];
    await sendUnsent((id, progress) => {
      sent.push([id, progress.seconds]);
      if (id === 1) {
        removeUnsent(2, at(20));
        addUnsent(3, at(35));
      }
      return Promise.resolve(true);
    });
    expect(sent).toEqual([
      [1, 10],
      [3, 35],
    ]);
  });
});

describe("the server's last answer, in the browser's storage", () => {
  const createListener = (room?: number) => {
    const local = createStorage(room);
    vi.stubGlobal("localStorage", local);
    return local;
  };
  afterEach(() => vi.unstubAllGlobals());

  it("includes later saves", () => {
    createListener();
    storeAnswer(
      new Map([
        [1, at(2400)],
        [2, at(60, true)],
      ]),
    );
    addToStoredAnswer(1, at(2415));
    expect([...readStoredAnswer()!]).toEqual([
      [2, at(60, true)],
      [1, at(2415)],
    ]);
    storeAnswer(new Map());
    expect(readStoredAnswer()?.size).toBe(0);
  });

  it("is not created by a save without an answer, except a new listener's first", () => {
    const local = createListener();
    addToStoredAnswer(1, at(40));
    expect(readStoredAnswer()).toBeNull();
    const id = local.getItem(KEY)!;
    storeAnswer(new Map([[2, at(60)]]));
    local.removeItem(KEY);
    expect(readStoredAnswer()).toBeNull();
    addToStoredAnswer(1, at(40));
    local.setItem(KEY, id);
    expect([...readStoredAnswer()!]).toEqual([[1, at(40)]]);
  });

  it("is of the 1,000 episodes that were heard last", () => {
    createListener();
    storeAnswer(new Map(Array.from({ length: 1000 }, (_, id) => [id, at(id)])));
    addToStoredAnswer(2000, at(40));
    expect(readStoredAnswer()?.size).toBe(1000);
    expect([...readStoredAnswer()!.keys()].slice(0, 1)).toEqual([1]);
    expect(readStoredAnswer()!.get(2000)).toEqual(at(40));
  });

  it("is dropped if malformed, and is missing rather than outdated if the storage is full or forbidden", () => {
    createListener().setItem(ANSWER_KEY, '{"1":2}');
    expect(readStoredAnswer()).toBeNull();
    createListener(60);
    storeAnswer(new Map([[1, at(2400)]]));
    expect(readStoredAnswer()?.size).toBe(1);
    addToStoredAnswer(2, at(40));
    expect(readStoredAnswer()).toBeNull();
    vi.stubGlobal("localStorage", undefined);
    storeAnswer(new Map([[1, at(2400)]]));
    expect(readStoredAnswer()).toBeNull();
  });
});
