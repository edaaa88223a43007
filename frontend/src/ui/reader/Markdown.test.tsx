import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { Markdown } from "./Markdown";
import { listHeadings, splitMarkdown } from "./segments";

function marked(text: string, words: string): string {
  const start = text.indexOf(words);
  const { container } = render(<Markdown text={text} marks={[{ start, end: start + words.length }]} />);
  return [...container.querySelectorAll("mark")].map((mark) => mark.textContent).join("");
}

describe("cited words", () => {
  it.each([
    [
      "in a paragraph",
      "Take it back. We pay the freight. Thanks.",
      "We pay the freight.",
      "We pay the freight.",
    ],
    ["over formatting", "It is **never** sent *back* here.", "**never** sent *back*", "never sent back"],
    ["behind escapes", "A \\* sign, then these words.", "these words", "these words"],
    ["behind a reference", "Nuts &amp; bolts &lt;M8&gt; are free here.", "are free", "are free"],
    ["in a table cell", "| code | means |\n| --- | --- |\n| 17 | a leak |", "a leak", "a leak"],
    ["in a code block", "```sql\nselect 1\nfrom t\n```\n\nEnd.", "from t", "from t"],
    ["in inline code", "Use `make run` first.", "make run", "make run"],
    ["over two lines of a quote", "> first line\n> second line", "line\n> second", "line\nsecond"],
  ])("are marked %s", (_where, text, words, shown) => expect(marked(text, words)).toBe(shown));

  it("are marked in every element that a range goes over", () => {
    const text = "One two.\n\nThree four.";
    const { container } = render(<Markdown text={text} marks={[{ start: 4, end: 15 }]} />);
    expect([...container.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual([
      "two.",
      "Three",
    ]);
  });
});

describe("hostile Markdown", () => {
  it("shows markup as text and runs nothing", () => {
    const { container } = render(
      <Markdown text={'Hello <img src=x onerror="alert(1)"> <script>alert(2)</script>'} />,
    );
    expect(container.querySelector("img, script")).toBeNull();
    expect(container).toHaveTextContent('<img src=x onerror="alert(1)">');
  });

  it.each(["[a](javascript:alert(1))", "[a](data:text/html,x)", "[a][r]\n\n[r]: vbscript:x"])(
    "kills %s",
    (text) => {
      render(<Markdown text={text} />);
      expect(screen.queryByRole("link")).toBeNull();
    },
  );

  it("keeps a web address, says its host and gives it no power over this page", () => {
    render(<Markdown text="[the guide](https://docs.example.org/a)" />);
    const link = screen.getByRole("link", { name: "the guide" });
    expect(link).toHaveAttribute("rel", "noopener noreferrer nofollow");
    expect(screen.getByText("(docs.example.org)")).toBeInTheDocument();
  });

  it.each([
    "![chart](https://evil.example/x.png)",
    "![chart][r]\n\n[r]: https://evil.example/x.png",
    "[![chart](https://evil.example/x.png)](https://evil.example)",
  ])("fetches no picture of %s", (text) => {
    const { container } = render(<Markdown text={text} />);
    expect(container.querySelector("img")).toBeNull();
    expect(container).toHaveTextContent("Picture: chart (evil.example)");
  });
});

describe("parts of a long text", () => {
  const text = `# One\n\n${"words ".repeat(20)}\n\n\`\`\`\n# no heading\n\`\`\`\n\nTwo\n---\n\n${"more [x] ".repeat(20)}\n\n# Three\n\nend\n\n[x]: https://example.org`;

  it("have the headings in order, none from a code block", () => {
    const found = listHeadings(text).map(({ level, title, offset }) => [
      level,
      title,
      text.slice(offset, offset + 3),
    ]);
    expect(found).toEqual([
      [1, "One", "# O"],
      [2, "Two", "Two"],
      [1, "Three", "# T"],
    ]);
  });

  it("begin where the text has them and know every link", () => {
    const parts = splitMarkdown(text, 60);
    expect(parts.length).toBeGreaterThan(1);
    for (const [index, part] of parts.entries()) {
      const own = text.slice(part.offset, parts[index + 1]?.offset);
      expect(part.text.startsWith(own)).toBe(true);
      expect(part.text).toContain("[x]: https://example.org");
    }
  });
});
