/** The path of a picked or dropped file below what was dropped: "handbook/returns.md"; in NFC, as the server keeps names. */
export function relativePath(file: File): string {
  const dropped = "path" in file && typeof file.path === "string" ? file.path : "";
  const path = file.webkitRelativePath || dropped || file.name;
  return path.replace(/^(?:\.?\/)+/, "").normalize("NFC");
}

/** The ending of a file name with its dot, in lower case: ".md"; empty where there is none. */
export function fileExtension(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > name.lastIndexOf("/") ? name.slice(dot).toLowerCase() : "";
}

/** The last part of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

const KINDS: Record<string, string> = {
  ".md": "Markdown",
  ".markdown": "Markdown",
  ".mdown": "Markdown",
  ".mkd": "Markdown",
  ".mdx": "Markdown",
  ".txt": "TXT",
  ".text": "TXT",
  ".log": "TXT",
  ".rst": "TXT",
  ".adoc": "TXT",
  ".jsonl": "JSON",
  ".ndjson": "JSON",
  ".htm": "HTML",
  ".xhtml": "HTML",
};

/** The kinds of files behind a list of endings, each named once: "Markdown, TXT, CSV". */
export function kindNames(extensions: readonly string[]): string {
  return [
    ...new Set(extensions.map((extension) => KINDS[extension] ?? extension.slice(1).toUpperCase())),
  ].join(", ");
}

/** A size in the words of a locale: "100 MB". */
export function fileSize(bytes: number, locale: string): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
  const step = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
  const format = {
    style: "unit",
    unit: units[step],
    unitDisplay: "short",
    maximumFractionDigits: 1,
  } as const;
  return new Intl.NumberFormat(locale, format as Intl.NumberFormatOptions).format(bytes / 1024 ** step);
}

/**
 * Puts files into groups that travel in one request each: few enough that a folder of small files is not a
 * thousand requests, small enough that one broken line does not cost much.
 */
export function groupFiles<Item extends { file: File }>(
  items: readonly Item[],
  limits: { bytes: number; files: number },
): Item[][] {
  const groups: Item[][] = [];
  let bytes = 0;
  for (const item of items) {
    const group = groups.at(-1);
    if (group && group.length < limits.files && bytes + item.file.size <= limits.bytes) {
      group.push(item);
      bytes += item.file.size;
    } else {
      groups.push([item]);
      bytes = item.file.size;
    }
  }
  return groups;
}

/** Hands a file over to the browser, which saves it under this name. */
export function download(name: string, file: Blob): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
