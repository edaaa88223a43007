const SCHEMES = new Set(["http:", "https:", "mailto:"]);

/** The address if a document may link to it (http, https, mailto), else null: script and data addresses stay dead. */
export function safeLink(address: string | null | undefined): string | null {
  if (!address) return null;
  try {
    return SCHEMES.has(new URL(address).protocol) ? address : null;
  } catch {
    return null;
  }
}

/** The host that an address leads to, or null where it names none. */
export function linkHost(address: string | null | undefined): string | null {
  try {
    return new URL(address ?? "").host || null;
  } catch {
    return null;
  }
}

/** The path of an own page to return to after sign-in; anything else becomes the start page. */
export function ownPath(path: string | undefined): string {
  return path && /^\/(?![/\\])/.test(path) ? path : "/";
}
