/** Brings the cited words of the shown document into the upper third and says whether there are any. */
export function goToMark(): boolean {
  const mark = document.querySelector("[data-document] mark, [data-document] .csv-hit");
  mark?.scrollIntoView({ block: mark.matches(".csv-hit") ? "center" : "start" });
  return mark !== null;
}
