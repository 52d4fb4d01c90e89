export { formatSize } from "#site/ui/size.ts";

/** "about 2 min left". */
export function formatLeft(seconds: number) {
  if (seconds < 5) return "a few seconds left";
  if (seconds < 60) return `about ${Math.ceil(seconds / 5) * 5} s left`;
  if (seconds < 3600) return `about ${Math.round(seconds / 60)} min left`;
  return `about ${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min left`;
}

export const percent = (sent: number, size: number) => Math.floor((sent / size) * 100);
