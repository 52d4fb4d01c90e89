import { insertTextIntoField } from "text-field-edit";
import {
  Bold,
  Code,
  Heading2,
  Image,
  Italic,
  Link,
  List,
  ListOrdered,
  Quote,
  type LucideIcon,
} from "lucide-react";
import { Toolbar as Radix } from "radix-ui";
import { useEffect, type KeyboardEvent, type MouseEvent } from "react";
import { buttonClass } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { lazyImport } from "#site/ui/lazy-import.ts";
import { ariaKeys, shownKeys, useMacKeys, type Key } from "../shell/mac-keys.ts";
import { toggleItalic } from "./italic.ts";

declare module "react" {
  // oxlint-disable-next-line typescript/no-namespace -- React's own way to declare a custom element.
  namespace JSX {
    interface IntrinsicElements {
      "markdown-toolbar": { for: string; "data-no-focus": ""; children?: ReactNode };
    }
  }
}

type Tool = {
  /** A style of GitHub's markdown-toolbar-element. */
  command?: string;
  /** For tools without a command, except pictures, which have a dialog. */
  press?: (field: HTMLTextAreaElement) => void;
  label: string;
  icon: LucideIcon;
  /** With Ctrl, or ⌘. */
  key: Key;
};

export const tools: Tool[] = [
  {
    press: toggleHeading,
    label: "Heading",
    icon: Heading2,
    key: { code: "KeyH", shift: true, shown: "H" },
  },
  { command: "bold", label: "Bold", icon: Bold, key: { code: "KeyB", shown: "B" } },
  { press: toggleItalic, label: "Italic", icon: Italic, key: { code: "KeyI", shown: "I" } },
  { command: "link", label: "Link", icon: Link, key: { code: "KeyK", shown: "K" } },
  { label: "Image", icon: Image, key: { code: "KeyP", alt: true, shown: "P" } },
  {
    command: "unordered-list",
    label: "Bullet list",
    icon: List,
    key: { code: "Digit8", shift: true, shown: "8" },
  },
  {
    command: "ordered-list",
    label: "Numbered list",
    icon: ListOrdered,
    key: { code: "Digit7", shift: true, shown: "7" },
  },
  { command: "quote", label: "Quote", icon: Quote, key: { code: "Period", shift: true, shown: "." } },
  { command: "code", label: "Code", icon: Code, key: { code: "KeyE", shown: "E" } },
];

type Props = {
  /** The id of the text area. */
  field: string;
  onPicture: () => void;
  className?: string;
};

const loadElement = lazyImport(() => import("@github/markdown-toolbar-element"));

/** Buttons that put Markdown around the selected text of a text area. Arrow keys move between buttons. */
export function Toolbar({ field, onPicture, className }: Props) {
  useEffect(() => void loadElement().catch(console.error), []);
  const isMac = useMacKeys();
  return (
    <Radix.Root asChild aria-label="Formatting" className={cx("-ml-2 flex flex-wrap", className)}>
      <markdown-toolbar for={field} data-no-focus="">
        {tools.map((tool) => (
          <Radix.Button
            key={tool.label}
            data-md-button={tool.command}
            data-tool={tool.key.code}
            aria-label={tool.label}
            aria-keyshortcuts={ariaKeys(tool.key, isMac)}
            title={`${tool.label} (${shownKeys(tool.key, isMac)})`}
            // All nine in one line of a phone.
            className={cx(buttonClass({ tone: "bare", size: "icon" }), "max-sm:w-8.5")}
            onClick={
              tool.command ? repeatEarlyPress : tool.press ? () => pressIn(field, tool.press) : onPicture
            }
          >
            <tool.icon aria-hidden size={18} />
          </Radix.Button>
        ))}
      </markdown-toolbar>
    </Radix.Root>
  );
}

function pressIn(id: string, press: Tool["press"]) {
  const field = document.getElementById(id);
  if (field instanceof HTMLTextAreaElement) press?.(field);
}

const TOOLBAR = "markdown-toolbar";

/** The toolbar cannot handle a press before its code has loaded. */
function repeatEarlyPress({ currentTarget }: MouseEvent<HTMLElement>) {
  if (!customElements.get(TOOLBAR)) void pressOnceReady(currentTarget);
}

async function pressOnceReady(button: HTMLElement) {
  await customElements.whenDefined(TOOLBAR);
  button.click();
}

/** Presses the button of a key that is typed in the text area. */
export function pressTool(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (!event.ctrlKey && !event.metaKey) return;
  const tool = tools.find(
    ({ key }) =>
      key.code === event.code && Boolean(key.alt) === event.altKey && Boolean(key.shift) === event.shiftKey,
  );
  if (!tool) return;
  // Overrides the browser's own shortcuts: search, page information, printing.
  event.preventDefault();
  const button = document.querySelector<HTMLElement>(
    `${TOOLBAR}[for="${CSS.escape(event.currentTarget.id)}"] [data-tool=${tool.key.code}]`,
  );
  if (button) void pressOnceReady(button);
}

/** A page's title is the first level, so the headings of its text begin with the second. */
const HEADING = "## ";

/** Makes the line with the caret a heading, or a heading plain text again; the caret stays at its letter. */
function toggleHeading(field: HTMLTextAreaElement) {
  const { value, selectionStart, selectionEnd } = field;
  const start = value.lastIndexOf("\n", selectionStart - 1) + 1;
  const [mark = ""] = /^ {0,3}#{1,6}(?: +|(?=\n|$))/.exec(value.slice(start)) ?? [];
  const written = mark === "" ? HEADING : "";
  const moved = (at: number) => Math.max(start, at + written.length - mark.length);
  field.setSelectionRange(start, start + mark.length);
  insertTextIntoField(field, written);
  field.setSelectionRange(moved(selectionStart), moved(selectionEnd));
}
