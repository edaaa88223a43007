interface SearchAddress {
  q?: string | undefined;
  source?: string | undefined;
  type?: string | undefined;
}

/** What the address of the search page holds; what is not set is left out. */
export function searchAddress({ q, source, type }: SearchAddress): {
  q?: string;
  source?: string;
  type?: string;
} {
  return { ...(q && { q }), ...(source && { source }), ...(type && { type }) };
}
