import type { Element, ElementContent, Root, RootContent } from "hast";
import { toText } from "hast-util-to-text";
import { findMailPictures, type MailPicture } from "#worker/files/pictures/mail-copies.ts";
import { toPlainText } from "#worker/mail/markdown-text.ts";
import { ACCENT, button, elements, SCROLLING } from "#worker/mail/styles.ts";
import type { Context } from "#worker/platform/context.ts";
import { renderMarkdown } from "#worker/platform/text/markdown.ts";

/** The owner's Markdown text, as a part of an email. */
export type RichPart = {
  /** Sanitised, with absolute addresses and inline styles. */
  html: string;
  text: string;
};

export type RichMailText = RichPart & {
  /** The distinct targets of links that `linkTo` may replace, in the order of the text. */
  links: string[];
};

/** Maps a web link of the text to its address in the HTML; `position` is its index in `links`, from 1. */
export type LinkTo = (href: string, position: number) => string;

/**
 * Markdown as a part of an email.
 * @throws `invalid` as `renderMarkdown`
 */
export async function renderMailText(
  ctx: Context,
  markdown: string,
  { linkTo = (href) => href }: { linkTo?: LinkTo } = {},
): Promise<RichMailText> {
  const absolute = (href: string) => URL.parse(href, `${ctx.config.siteUrl}/`)?.href ?? href;
  const links = new Map<string, number>();
  const leadTo = (href: string) => {
    if (!/^https?:/.test(href)) return href;
    const position = links.get(href) ?? links.size + 1;
    links.set(href, position);
    return linkTo(href, position);
  };
  const pictures = await findMailPictures(ctx, markdown);
  const restyle = restyleFor({ absolute, leadTo, pictures });
  const { html } = renderMarkdown(markdown, new Map(), (tree) => void restyle(tree));
  return { html, text: toPlainText(markdown, absolute), links: [...links.keys()] };
}

type Rules = {
  absolute: (href: string) => string;
  /** Takes an absolute address. */
  leadTo: (href: string) => string;
  pictures: ReadonlyMap<string, MailPicture>;
};

/** Width of an email's text column in pixels. */
const COLUMN = 600;

/** Writes styles into attributes, since not every mail program reads a style sheet. */
function restyleFor({ absolute, leadTo, pictures }: Rules) {
  let level = 1;

  const restyle = (node: Root | Element) => {
    node.children = (node.children as ElementContent[]).flatMap((child) =>
      child.type === "element" ? element(child) : [child],
    ) as RootContent[] & ElementContent[];
  };

  function element(node: Element): ElementContent[] {
    const { tagName } = node;
    if (tagName === "p") {
      const link = buttonIn(node);
      if (link) return [buttonOf(link)];
    }
    if (/^h[2-6]$/.test(tagName)) {
      // No skipped levels, for screen reader users who navigate by heading.
      level = Math.min(Number(tagName[1]), level + 1);
      return [styled(node, `h${level}`)];
    }
    switch (tagName) {
      case "a":
        return anchor(node);
      case "img":
        return [picture(node)];
      case "table":
        return [
          {
            type: "element",
            tagName: "div",
            properties: { style: SCROLLING },
            children: [styled(node, "table")],
          },
        ];
      // The checkbox of a task list.
      case "input":
        return [{ type: "text", value: node.properties["checked"] ? "☑" : "☐" }];
      case "section":
        return [styled(node, "div")];
      default:
        return [styled(node, tagName)];
    }
  }

  function styled(node: Element, tagName: string): Element {
    restyle(node);
    if (tagName === "li" || tagName === "blockquote") closeUp(node);
    const { align, start } = node.properties;
    const style = [elements[tagName], align && `text-align:${align}`, isTask(node) && "list-style-type:none"]
      .filter(Boolean)
      .join(";");
    const isInPre = tagName === "pre" ? unstyled(node) : node;
    return {
      ...isInPre,
      tagName,
      properties: { ...(start && { start }), ...(style && { style }) },
    };
  }

  function anchor(node: Element): ElementContent[] {
    const href = String(node.properties["href"] ?? "");
    // Mail programs rename ids, which breaks links to them.
    if (href === "" || href.startsWith("#")) {
      if (node.properties["dataFootnoteBackref"] !== undefined) return [];
      restyle(node);
      return node.children;
    }
    restyle(node);
    return [{ ...node, properties: { href: leadTo(absolute(href)), style: elements["a"] } }];
  }

  function buttonOf(link: Element): Element {
    const properties = { href: leadTo(absolute(String(link.properties["href"]))), style: button.link };
    const label: Element = {
      type: "element",
      tagName: "a",
      properties,
      children: [{ type: "text", value: toText(link) }],
    };
    const cell = wrap("td", { className: ["button"], bgColor: ACCENT, style: button.cell }, label);
    const table = {
      role: "presentation",
      cellPadding: "0",
      cellSpacing: "0",
      border: 0,
      style: button.table,
    };
    return wrap("table", table, wrap("tr", {}, cell));
  }

  function picture({ properties, ...node }: Element): Element {
    const written = String(properties["src"]);
    const { src, width, height } = pictures.get(written) ?? { src: written };
    const size =
      width && height
        ? { width: Math.min(width, COLUMN), height: Math.round((Math.min(width, COLUMN) * height) / width) }
        : {};
    return {
      ...node,
      properties: {
        src: absolute(src),
        alt: String(properties["alt"] ?? ""),
        ...size,
        style: elements["img"],
      },
    };
  }

  return restyle;
}

const wrap = (
  tagName: string,
  properties: Element["properties"],
  ...children: ElementContent[]
): Element => ({
  type: "element",
  tagName,
  properties,
  children,
});

/** A task shows its checkbox instead of a bullet. */
const isTask = ({ tagName, properties }: Element) =>
  tagName === "li" && [properties["className"]].flat().includes("task-list-item");

/** Drops the last paragraph's margin, since its container has its own. */
function closeUp({ children }: Element) {
  const last = children.findLast((child) => child.type === "element");
  if (last?.tagName === "p") last.properties["style"] = "margin:0";
}

/** Code in a block has the background of the block. */
const unstyled = (block: Element): Element => ({
  ...block,
  children: block.children.map((child) =>
    child.type === "element" && child.tagName === "code" ? { ...child, properties: {} } : child,
  ),
});

/** The link of a paragraph that consists only of a bold link. */
function buttonIn({ children }: Element) {
  const [strong, ...others] = children;
  if (others.length > 0 || strong?.type !== "element" || strong.tagName !== "strong") return undefined;
  const [link, ...more] = strong.children;
  const isLink = more.length === 0 && link?.type === "element" && link.tagName === "a";
  return isLink && /^(?:https?:|\/|mailto:)/.test(String(link.properties["href"])) ? link : undefined;
}
