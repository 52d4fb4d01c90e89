import {
  closestCenter,
  DndContext,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
  type DragEndEvent,
} from "@dnd-kit/core";
import { restrictToParentElement, restrictToVerticalAxis } from "@dnd-kit/modifiers";
import { SortableContext, useSortable, verticalListSortingStrategy } from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import { ChevronDown, ChevronUp, GripVertical } from "lucide-react";
import {
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ComponentProps,
  type ReactNode,
  type Ref,
} from "react";
import { cx } from "./cx.ts";
import { announcementsFor, stepVertically } from "./sorting.ts";

export type SortableItem = { id: number; name: string };

type SortableListProps<T extends SortableItem> = {
  items: readonly T[];
  /** Number of items, hidden ones included. */
  total: number;
  label: string;
  /** `from` and `to` are indexes. */
  onMove: (from: number, to: number) => void;
  ref?: Ref<HTMLOListElement>;
  /** Content of an item's card, beside its handle. */
  children: (item: T) => ReactNode;
};

/** Pixels that the pointer moves before a press becomes a drag. */
const ACTIVATION = { distance: 8 };

const instructions = {
  draggable:
    "To move it, press space or enter, then the up and down arrow keys; press space or enter again to drop it, or escape to leave it where it was.",
};

/** A sortable list of cards: by dragging a handle, with the keyboard, or with Move up and Move down. */
export function SortableList<T extends SortableItem>({
  items,
  total,
  label,
  onMove,
  ref,
  children,
}: SortableListProps<T>) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: ACTIVATION }),
    useSensor(KeyboardSensor, { coordinateGetter: stepVertically }),
  );
  const announcements = useMemo(() => announcementsFor(items, total), [items, total]);
  const [announcement, announce] = useState("");
  const move = (from: number, to: number) => {
    onMove(from, to);
    announce(`${items[from]?.name} is now at position ${to + 1} of ${total}.`);
  };
  const drop = ({ active, over }: DragEndEvent) => {
    const indexOf = (id: unknown) => items.findIndex((item) => item.id === id);
    if (over && over.id !== active.id) onMove(indexOf(active.id), indexOf(over.id));
  };
  return (
    <DndContext
      // dnd-kit's own id counts renders, and so differs between server and browser.
      id={useId()}
      sensors={sensors}
      collisionDetection={closestCenter}
      modifiers={[restrictToVerticalAxis, restrictToParentElement]}
      accessibility={{ announcements, screenReaderInstructions: instructions }}
      onDragEnd={drop}
    >
      <SortableContext items={items as T[]} strategy={verticalListSortingStrategy}>
        <ol ref={ref} aria-label={label} className="grid gap-2">
          {items.map((item, index) => (
            <Card key={item.id} item={item} index={index} isLast={index === items.length - 1} onMove={move}>
              {children(item)}
            </Card>
          ))}
        </ol>
      </SortableContext>
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </DndContext>
  );
}

type CardProps = {
  item: SortableItem;
  index: number;
  isLast: boolean;
  onMove: (from: number, to: number) => void;
  children: ReactNode;
};

function Card({ item, index, isLast, onMove, children }: CardProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({ id: item.id });
  // The handle is a button already, so drop the role.
  const { role: _, ...handle } = attributes;
  const pressed = useRef<HTMLElement | null>(null);
  // React moves the card's element, which then loses the focus.
  useLayoutEffect(() => {
    pressed.current?.focus();
    pressed.current = null;
  });
  const step = (by: number) => (button: HTMLElement) => {
    pressed.current = button;
    onMove(index, index + by);
  };
  return (
    <li
      ref={setNodeRef}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      className={cx(
        "relative flex items-center gap-3 rounded-lg border bg-raised py-1 pr-1 pl-1 sm:pr-2",
        isDragging ? "z-10 border-ink shadow-float" : "border-rule",
      )}
    >
      <div className="grid shrink-0">
        <StepButton label={`Move ${item.name} up`} disabled={index === 0} onPress={step(-1)}>
          <ChevronUp aria-hidden size={16} />
        </StepButton>
        <button
          ref={setActivatorNodeRef}
          type="button"
          {...handle}
          {...listeners}
          aria-label={`Reorder ${item.name}`}
          // Touch drags on the handle and scrolls elsewhere.
          className="grid h-7 w-8 cursor-grab touch-none place-items-center text-muted hover:text-ink"
        >
          <GripVertical aria-hidden size={18} />
        </button>
        <StepButton label={`Move ${item.name} down`} disabled={isLast} onPress={step(1)}>
          <ChevronDown aria-hidden size={16} />
        </StepButton>
      </div>
      {children}
    </li>
  );
}

type StepProps = { label: string; disabled: boolean; onPress: (button: HTMLElement) => void };

/** Not `disabled` at the end of the list, because it would lose the focus. */
const StepButton = ({
  label,
  disabled,
  onPress,
  ...rest
}: StepProps & Pick<ComponentProps<"button">, "children">) => (
  <button
    type="button"
    aria-label={label}
    aria-disabled={disabled}
    onClick={({ currentTarget }) => disabled || onPress(currentTarget)}
    className="grid h-6 w-8 place-items-center text-muted hover:text-ink aria-disabled:cursor-default aria-disabled:opacity-60"
    {...rest}
  />
);
