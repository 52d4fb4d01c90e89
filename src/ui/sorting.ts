import type { Announcements, ClientRect, KeyboardCoordinateGetter, UniqueIdentifier } from "@dnd-kit/core";

/** The list with the item at `from` moved to `to`. */
export function moved<T>(list: readonly T[], from: number, to: number) {
  const rest = list.toSpliced(from, 1);
  return rest.toSpliced(to, 0, ...list.slice(from, from + 1));
}

const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 };

/** Moves vertically by one position, for items of any height: to the far edge of the next one, within the list. */
export const stepVertically: KeyboardCoordinateGetter = (event, { active, currentCoordinates, context }) => {
  const step = steps[event.code];
  if (step === undefined) return undefined;
  event.preventDefault();
  const { droppableRects, droppableContainers, over, collisionRect } = context;
  const places = droppableContainers
    .getEnabled()
    .map(({ id }) => ({ id, rect: droppableRects.get(id) }))
    .filter((place): place is Place => place.rect !== undefined)
    .toSorted((a, b) => a.rect.top - b.rect.top);
  const next = places[places.findIndex(({ id }) => id === (over?.id ?? active)) + step];
  if (!next || !collisionRect) return undefined;
  const { top, bottom } = next.rect;
  return { x: currentCoordinates.x, y: step < 0 ? top : bottom - collisionRect.height };
};

type Place = { id: UniqueIdentifier; rect: ClientRect };

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
