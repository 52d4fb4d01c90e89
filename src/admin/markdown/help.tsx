import { useState } from "react";
import { Button } from "#site/ui/button.tsx";
import { Dialog } from "#site/ui/dialog.tsx";
import { shownKeys, useMacKeys } from "../shell/mac-keys.ts";
import { tools } from "./toolbar.tsx";

/** Syntax, result, and the tool that inserts it. */
const rows = [
  { written: "## Heading", becomes: "A heading", tool: "Heading" },
  { written: "**bold**", becomes: "Bold", tool: "Bold" },
  { written: "*italic*", becomes: "Italic", tool: "Italic" },
  { written: "[words](https://example.com)", becomes: "A link", tool: "Link" },
  { written: "![what it shows](/media/…)", becomes: "A picture", tool: "Image" },
  { written: "- one", becomes: "A bullet list", tool: "Bullet list" },
  { written: "1. one", becomes: "A numbered list", tool: "Numbered list" },
  { written: "> words", becomes: "A quote", tool: "Quote" },
  { written: "`code`", becomes: "Code", tool: "Code" },
  { written: "An empty line", becomes: "A new paragraph" },
  { written: "---", becomes: "A line across" },
];

/** A button beside the label of a text, and its dialog. */
export function MarkdownHelp({ field }: { field: string }) {
  const [isOpen, setOpen] = useState(false);
  const isMac = useMacKeys();
  const keysOf = (label: string | undefined) => {
    const tool = tools.find((each) => each.label === label);
    return tool && shownKeys(tool.key, isMac);
  };
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="link min-h-6 text-sm"
      >
        <span>Markdown help</span>
        <span className="sr-only">{` for ${field}`}</span>
      </button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Markdown help"
        description="The toolbar writes these for you."
      >
        <table className="w-full text-left text-sm">
          <thead>
            <tr className="*:py-1.5 *:pr-4 *:font-medium">
              <th scope="col">You write</th>
              <th scope="col">You get</th>
              <th scope="col">Keys</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ written, becomes, tool }) => (
              <tr key={written} className="border-t border-rule *:py-1.5 *:pr-4 *:align-baseline">
                <td className="wrap-anywhere">
                  {tool || written === "---" ? <code translate="no">{written}</code> : written}
                </td>
                <td>{becomes}</td>
                <td translate="no" className="whitespace-nowrap text-muted">
                  {keysOf(tool)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <div>
          <Button onClick={() => setOpen(false)}>Close</Button>
        </div>
      </Dialog>
    </>
  );
}
