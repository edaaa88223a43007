const REFERENCE = /^&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][\da-z]{1,31});/i;

/**
 * Where each UTF-16 unit of a text as it is shown stands in its Markdown source. The shown text may be shorter:
 * escapes, character references, quote signs and code fences are in the source alone. The result has one entry
 * more than `shown`: the end of its last unit.
 */
export function alignToSource(shown: string, source: string): number[] {
  const places: number[] = [];
  let at = shown === source ? 0 : startOfContent(source);
  let last = at;
  for (let index = 0; index < shown.length; index += 1) {
    const reference = source[at] === "&" ? REFERENCE.exec(source.slice(at, at + 40))?.[0] : undefined;
    if (reference && isReferenceTo(shown, index, reference)) {
      places.push(at);
      at += reference.length;
    } else {
      at = nextOf(shown[index] ?? "", source, at);
      places.push(Math.min(at, source.length));
      at += 1;
    }
    last = Math.min(at, source.length);
  }
  places.push(last);
  return places;
}

function startOfContent(source: string): number {
  const fence = /^ {0,3}(?:`{3,}|~{3,})[^\n]*\n/.exec(source);
  return fence ? fence[0].length : 0;
}

/** A reference stands for one character; where the source shows the reference itself, "&" is followed by its name. */
function isReferenceTo(shown: string, index: number, reference: string): boolean {
  return shown[index] !== "&" || !shown.startsWith(reference, index);
}

function nextOf(unit: string, source: string, from: number): number {
  const found = source.indexOf(unit, from);
  // A unit that the source does not have (a replaced line end) stands where reading has come to.
  return found === -1 || found - from > 200 ? from : found;
}
