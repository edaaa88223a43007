import type { Element } from "hast";
import type { Components } from "hast-util-to-jsx-runtime";
import { Square, SquareCheckBig } from "lucide-react";
import type { ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import { linkHost, safeLink } from "@/lib/links";

type WithNode<Props> = Props & { node?: Element | undefined };

function textOf(node: Element): string {
  return node.children
    .map((child) => (child.type === "text" ? child.value : child.type === "element" ? textOf(child) : ""))
    .join("");
}

function Link({ node, href, children }: WithNode<ComponentProps<"a">>) {
  const address = safeLink(href);
  if (!address) return <span>{children}</span>;
  const host = linkHost(address);
  const shown = node ? textOf(node) : "";
  return (
    <>
      <a href={address} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
      {host && !shown.includes(host) && <span className="text-ink-3 text-[0.8em]"> ({host})</span>}
    </>
  );
}

/** Pictures of other places are never fetched: a note says what they show and where they would come from. */
function ImageNote({ src, alt }: WithNode<ComponentProps<"img">>) {
  const { t } = useTranslation();
  const host = linkHost(typeof src === "string" ? src : null);
  return (
    <span className="image-note">
      {t("reader.image", { alt: alt || t("reader.noAlt") })}
      {host && ` (${host})`}
    </span>
  );
}

function Checkbox({ checked }: WithNode<ComponentProps<"input">>) {
  const { t } = useTranslation();
  const Icon = checked ? SquareCheckBig : Square;
  return (
    <span
      role="img"
      aria-label={t(checked ? "reader.done" : "reader.open")}
      className="inline-block align-[-2px] mr-1.5"
    >
      <Icon size={15} aria-hidden />
    </span>
  );
}

function ScrollTable({ node: _node, children, ...rest }: WithNode<ComponentProps<"table">>) {
  const { t } = useTranslation();
  return (
    <section className="table-scroll" tabIndex={0} aria-label={t("reader.table")}>
      <table {...rest}>{children}</table>
    </section>
  );
}

/** The components of running text. */
export const readingComponents: Partial<Components> = {
  a: Link,
  img: ImageNote,
  input: Checkbox,
  table: ScrollTable,
};
