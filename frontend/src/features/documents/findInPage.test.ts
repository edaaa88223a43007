import { expect, test } from "vitest";
import { findInPage } from "./findInPage";

function pageOf(html: string): HTMLElement {
  const page = document.createElement("div");
  page.innerHTML = html;
  document.body.replaceChildren(page);
  return page;
}

const found = (html: string, query: string) => findInPage(pageOf(html), query).map(String);

test("finds words whatever their case, over bold and links", () => {
  expect(found("<p>Return <b>ra</b>te, return <a>rate</a></p><p>RETURN RATE</p>", "return rate")).toEqual([
    "Return rate",
    "return rate",
    "RETURN RATE",
  ]);
});

test("does not join the end of a paragraph with the start of the next", () => {
  expect(found("<p>over</p><p>night</p>", "overnight")).toEqual([]);
  expect(found("<table><tr><td>12</td><td>34</td></tr></table>", "1234")).toEqual([]);
});

test("signs of a pattern are only signs", () => {
  expect(found("<p>a.b (c) axb</p>", "a.b (c)")).toEqual(["a.b (c)"]);
  expect(found("<p>words</p>", "")).toEqual([]);
});
