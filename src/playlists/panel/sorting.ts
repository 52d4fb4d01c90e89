import type { Announcements, KeyboardCoordinateGetter } from "@dnd-kit/core";

/** Pixels that an arrow key moves what was picked up. */
const STEP = 25;

const steps: Record<string, number> = { ArrowUp: -STEP, ArrowDown: STEP };

/** Up and down only. What is moved past the middle of the next one has changed places with it. */
export const stepVertically: KeyboardCoordinateGetter = (event, { currentCoordinates: { x, y } }) => {
  const step = steps[event.code];
  if (step === undefined) return undefined;
  event.preventDefault();
  return { x, y: y + step };
};

type Named = { id: number; name: string };

/** What screen readers are told while one of the items, which are the first of so many in their order, is moved. */
export function announcementsFor(items: readonly Named[], total: number): Announcements {
  const nameOf = (id: unknown) => items.find((item) => item.id === id)?.name ?? "";
  const placeOf = (id: unknown) => `position ${items.findIndex((item) => item.id === id) + 1} of ${total}`;
  // Picking up is told as being over oneself, too; only what changes is said.
  let last: unknown;
  return {
    onDragStart({ active }) {
      last = active.id;
      return `Picked up ${nameOf(active.id)}, ${placeOf(active.id)}.`;
    },
    onDragOver({ active, over }) {
      if (!over || over.id === last) return undefined;
      last = over.id;
      return `${nameOf(active.id)} is now at ${placeOf(over.id)}.`;
    },
    onDragEnd: ({ active, over }) => `Dropped ${nameOf(active.id)} at ${placeOf(over?.id ?? active.id)}.`,
    onDragCancel: ({ active }) => `Moving cancelled. ${nameOf(active.id)} is back at ${placeOf(active.id)}.`,
  };
}
