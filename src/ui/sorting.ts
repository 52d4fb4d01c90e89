import type { Announcements, KeyboardCoordinateGetter } from "@dnd-kit/core";

/** The list with the item at `from` moved to `to`. */
export function moved<T>(list: readonly T[], from: number, to: number) {
  const rest = list.toSpliced(from, 1);
  return rest.toSpliced(to, 0, ...list.slice(from, from + 1));
}

/** Pixels that an arrow key moves the dragged item. */
const STEP = 25;

const steps: Record<string, number> = { ArrowUp: -STEP, ArrowDown: STEP };

/** Moves up and down only. Past the middle of the next item, the two change places. */
export const stepVertically: KeyboardCoordinateGetter = (event, { currentCoordinates: { x, y } }) => {
  const step = steps[event.code];
  if (step === undefined) return undefined;
  event.preventDefault();
  return { x, y: y + step };
};

type Named = { id: number; name: string };

/** Announcements to screen readers. `items` are the first ones of `total`. */
export function announcementsFor(items: readonly Named[], total: number): Announcements {
  const nameOf = (id: unknown) => items.find((item) => item.id === id)?.name ?? "";
  const positionOf = (id: unknown) => `position ${items.findIndex((item) => item.id === id) + 1} of ${total}`;
  // dnd-kit reports the item as over itself first; only changes are announced.
  let last: unknown;
  return {
    onDragStart({ active }) {
      last = active.id;
      return `Picked up ${nameOf(active.id)}, ${positionOf(active.id)}.`;
    },
    onDragOver({ active, over }) {
      if (!over || over.id === last) return undefined;
      last = over.id;
      return `${nameOf(active.id)} is now at ${positionOf(over.id)}.`;
    },
    onDragEnd: ({ active, over }) => `Dropped ${nameOf(active.id)} at ${positionOf(over?.id ?? active.id)}.`,
    onDragCancel: ({ active }) =>
      `Moving cancelled. ${nameOf(active.id)} is back at ${positionOf(active.id)}.`,
  };
}
