import { useState, type DragEvent } from "react";

/** The handlers of an element on which files are dropped, and whether some are held over it. */
export function useDropTarget(onFiles: (files: FileList) => void) {
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onFiles(event.dataTransfer.files);
  };
  return {
    isOver,
    events: { onDragEnter: over, onDragOver: over, onDragLeave: () => setOver(false), onDrop },
  };
}
