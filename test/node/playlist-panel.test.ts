import { array, assert, constantFrom, integer, nat, property, uniqueArray } from "fast-check";
import { atom, createStore } from "jotai";
import { describe, expect, test } from "vitest";
import {
  addPending,
  commit,
  optimistic,
  updateOptimistically,
  rollBack,
  optimisticValue,
} from "#site/playlists/optimistic.ts";
import { inOrder, shuffled } from "#site/playlists/order.ts";
import { announcementsFor, moved, stepVertically } from "#site/ui/sorting.ts";
import { errorMessage } from "#site/playlists/error-message.ts";
import { createSerialQueue } from "#site/ui/serial-queue.ts";
import "../support/property-seed.ts";

const lists = uniqueArray(nat(), { minLength: 1, maxLength: 30 });
const itemsOf = (ids: number[]) => ids.map((id) => ({ id }));

describe("a moved item", () => {
  test("is at its target, and the others preserve their order", () => {
    assert(
      property(lists, nat(), nat(), (ids, a, b) => {
        const [from, to] = [a % ids.length, b % ids.length];
        const after = moved(ids, from, to);
        expect(after[to]).toBe(ids[from]);
        const others = (list: number[]) => list.filter((id) => id !== ids[from]);
        expect(others(after)).toEqual(others(ids));
      }),
    );
  });

  test("is restored when it is moved back", () => {
    assert(
      property(lists, nat(), nat(), (ids, a, b) => {
        const [from, to] = [a % ids.length, b % ids.length];
        expect(moved(moved(ids, from, to), to, from)).toEqual(ids);
      }),
    );
  });
});

describe("an order of ids", () => {
  test("puts all the items in it, and leaves none out", () => {
    assert(
      property(lists, (ids) => {
        const order = ids.toReversed();
        expect(inOrder(itemsOf(ids), order)).toEqual(itemsOf(order));
      }),
    );
  });

  test("puts unnamed ids after the rest, and ignores unknown ids", () => {
    expect(inOrder(itemsOf([1, 2, 3, 4]), [9, 3, 1])).toEqual(itemsOf([3, 1, 2, 4]));
  });
});

describe("a shuffle", () => {
  test("is a permutation, and does not change the list itself", () => {
    assert(
      property(array(nat()), (list) => {
        const before = [...list];
        const numeric = (a: number, b: number) => a - b;
        expect(shuffled(list).toSorted(numeric)).toEqual(list.toSorted(numeric));
        expect(list).toEqual(before);
      }),
    );
  });

  test("gives every order equally often", () => {
    const drawn = [0, 0.5];
    const orders = [0, 1 / 3, 2 / 3].flatMap((first) =>
      drawn.map((second) => {
        const chances = [first, second];
        return shuffled(["a", "b", "c"], () => chances.shift() ?? 0).join("");
      }),
    );
    expect(orders.toSorted()).toEqual(["abc", "acb", "bac", "bca", "cab", "cba"]);
  });
});

describe("an optimistic change", () => {
  const add = (id: number) => (ids: number[]) => [...ids.filter((one) => one !== id), id];
  const remove = (id: number) => (ids: number[]) => ids.filter((one) => one !== id);

  test("is shown immediately, on top of earlier ones", () => {
    expect(optimisticValue(addPending(addPending(optimistic([1]), add(2)), add(3)))).toEqual([1, 2, 3]);
  });

  test("is rolled back when it is refused; later changes remain", () => {
    const first = add(2);
    const state = addPending(addPending(optimistic([1]), first), add(3));
    expect(optimisticValue(rollBack(state, first))).toEqual([1, 3]);
  });

  test("leaves the committed changes once all are answered, regardless of refusals in between", () => {
    const step = property(
      array(integer({ min: 0, max: 5 }).map((id) => (id % 2 ? add(id) : remove(id)))),
      array(constantFrom(true, false), { minLength: 30, maxLength: 30 }),
      (changes, answers) => {
        let state = changes.reduce(addPending, optimistic([1, 2, 3]));
        changes.forEach((change, at) => {
          state = answers[at] ? commit(state, change) : rollBack(state, change);
        });
        const meant = changes.filter((_, at) => answers[at]).reduce((ids, change) => change(ids), [1, 2, 3]);
        expect(state).toEqual(optimistic(meant));
      },
    );
    assert(step);
  });

  test("is rolled back when its request fails, and the error is thrown", async () => {
    const store = createStore();
    const at = atom(optimistic([1]));
    const seen: number[][] = [];
    store.sub(at, () => seen.push(optimisticValue(store.get(at))));
    const error = new Error("No.");
    await expect(updateOptimistically(store, at, add(2), () => Promise.reject(error))).rejects.toBe(error);
    expect(seen).toEqual([[1, 2], [1]]);
    await updateOptimistically(store, at, add(3), () => Promise.resolve());
    expect(store.get(at)).toEqual(optimistic([1, 3]));
  });
});

describe("a serial queue", () => {
  test("starts a task when the one before has ended, also when that failed", async () => {
    const enqueue = createSerialQueue();
    const log: string[] = [];
    const work = (name: string, wait: number) => async () => {
      log.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, wait));
      log.push(`${name} ends`);
      if (name === "first") throw new Error(name);
      return name;
    };
    const first = enqueue(work("first", 10));
    const second = enqueue(work("second", 0));
    await expect(first).rejects.toThrow("first");
    expect(await second).toBe("second");
    expect(log).toEqual(["first begins", "first ends", "second begins", "second ends"]);
  });
});

describe("the keyboard", () => {
  /** Rows of 88, 60 and 112 px with 8 px between them; the first of them is dragged. */
  const rows = [
    { id: 1, top: 100, bottom: 188 },
    { id: 2, top: 196, bottom: 256 },
    { id: 3, top: 264, bottom: 376 },
  ];

  /** Presses a key while the dragged row is over another. */
  function press(code: string, over: number | null) {
    const event = new Event("keydown", { cancelable: true }) as KeyboardEvent;
    const context = {
      over: over === null ? null : { id: over },
      collisionRect: { height: 88 },
      droppableRects: new Map(rows.map((row) => [row.id, row])),
      droppableContainers: { getEnabled: () => rows.toReversed() },
    } as unknown as Parameters<typeof stepVertically>[1]["context"];
    const at = { x: 40, y: 100 };
    const to = stepVertically(Object.assign(event, { code }), { active: 1, currentCoordinates: at, context });
    return { to, isTaken: event.defaultPrevented };
  }

  test.each([
    ["ArrowDown", null, { x: 40, y: 168 }],
    ["ArrowDown", 1, { x: 40, y: 168 }],
    ["ArrowDown", 2, { x: 40, y: 288 }],
    ["ArrowUp", 3, { x: 40, y: 196 }],
    ["ArrowUp", 2, { x: 40, y: 100 }],
    // Nothing is beyond the ends; the page does not scroll.
    ["ArrowDown", 3, undefined],
    ["ArrowUp", 1, undefined],
  ])(
    "%s over position %s moves the picked-up row by one position, and the page does not scroll",
    (code, over, to) => {
      expect(press(code, over)).toEqual({ to, isTaken: true });
    },
  );

  test.each(["ArrowLeft", "ArrowRight", "Tab"])("%s moves nothing", (code) => {
    expect(press(code, 2)).toEqual({ to: undefined, isTaken: false });
  });
});

describe("the announcement for screen readers", () => {
  const announcements = () =>
    announcementsFor(
      ["Rent", "Trains", "Bread"].map((name, at) => ({ id: at + 1, name })),
      3,
    );
  type Arguments = Parameters<ReturnType<typeof announcements>["onDragEnd"]>[0];
  const between = (active: number, over: number) =>
    ({ active: { id: active }, over: { id: over } }) as Arguments;

  test("announces the name and position when a row is picked up, moved, dropped or cancelled", () => {
    const words = announcements();
    expect(words.onDragStart(between(2, 2))).toBe("Picked up Trains, position 2 of 3.");
    expect(words.onDragOver(between(2, 3))).toBe("Trains is now at position 3 of 3.");
    expect(words.onDragEnd(between(2, 3))).toBe("Dropped Trains at position 3 of 3.");
    expect(words.onDragCancel(between(2, 3))).toBe("Moving cancelled. Trains is back at position 2 of 3.");
  });

  test("is empty for an unchanged position", () => {
    const words = announcements();
    words.onDragStart(between(2, 2));
    expect(words.onDragOver(between(2, 2))).toBeUndefined();
    expect(words.onDragOver(between(2, 1))).toBeDefined();
    expect(words.onDragOver(between(2, 1))).toBeUndefined();
    expect(words.onDragOver(between(2, 2))).toBe("Trains is now at position 2 of 3.");
  });
});

test("a failure shows the server's message, or a connection error without one", () => {
  expect(errorMessage(Object.assign(new Error("You have 200 playlists already."), { status: 409 }))).toBe(
    "You have 200 playlists already.",
  );
  expect(errorMessage(new TypeError("Failed to fetch"))).toBe("Check your connection and try again.");
});
