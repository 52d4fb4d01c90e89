import type { Element, ElementContent, Text } from "hast";
import { secondsOf, TIMESTAMP } from "#worker/episodes/contract.ts";
import type { Transform } from "#worker/platform/text/markdown.ts";

/** At the beginning of a line, or in brackets; elsewhere "10:30" is as likely a time of day or a verse. */
const LEADING = new RegExp(`^(\\s*[([]?)(${TIMESTAMP})(?=[\\s)\\].,:;–—-]|$)`);
const BRACKETED = new RegExp(`([([])(${TIMESTAMP})(?=[)\\]])`, "g");

const INLINE = new Set(["strong", "em", "del", "sub", "sup", "input"]);
const UNTOUCHED = new Set(["a", "code", "pre"]);

/**
 * Makes the times in show notes links to that second of the episode, on its own page. `durationSeconds` is its length,
 * or 0 if unknown; later times are not linked.
 */
export function linkTimestamps(durationSeconds: number): Transform {
  const isIn = (time: string) => durationSeconds === 0 || secondsOf(time) <= durationSeconds;
  return (tree) => {
    linkIn(tree as { children: ElementContent[] }, true, isIn);
  };
}

/** Returns whether what follows begins a line. */
function linkIn(
  parent: { children: ElementContent[] },
  startsLine: boolean,
  isIn: (time: string) => boolean,
) {
  let isStart = startsLine;
  parent.children = parent.children.flatMap((child): ElementContent[] => {
    if (child.type === "text") {
      const linked = linkText(child.value, isStart, isIn);
      isStart = /\n[ \t]*$/.test(child.value) || (isStart && child.value.trim() === "");
      return linked;
    }
    if (child.type !== "element") return [child];
    if (UNTOUCHED.has(child.tagName)) isStart = false;
    else if (INLINE.has(child.tagName)) isStart = linkIn(child, isStart, isIn);
    else {
      linkIn(child, true, isIn);
      isStart = true;
    }
    return [child];
  });
  return isStart;
}

function linkText(value: string, startsLine: boolean, isIn: (time: string) => boolean) {
  return value.split(/(?<=\n)/).flatMap((line, at) => {
    const leading = at > 0 || startsLine ? LEADING.exec(line) : null;
    const found = [...(leading ? [leading] : []), ...line.matchAll(BRACKETED)];
    const parts: (Text | Element)[] = [];
    let end = 0;
    for (const { index, 1: before = "", 2: time = "" } of found) {
      const start = index + before.length;
      if (start < end || !isIn(time)) continue;
      parts.push(text(line.slice(end, start)), linkTo(time));
      end = start + time.length;
    }
    return [...parts, text(line.slice(end))].filter((part) => part.type !== "text" || part.value !== "");
  });
}

const text = (value: string): Text => ({ type: "text", value });

const linkTo = (time: string): Element => ({
  type: "element",
  tagName: "a",
  properties: { href: `?t=${secondsOf(time)}` },
  children: [text(time)],
});
