import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "@/api/errors";
import type { UploadOutcome } from "@/api/types";
import { server } from "@/testing/server";
import { UploadProvider, useUploads } from "./UploadProvider";

const RULES = { uploads: { fileExtensions: [".md", ".csv"], maxBytes: 1024 * 1024 }, providers: [] };
let sent: string[];

function ChooseButton() {
  return (
    <button type="button" onClick={useUploads().chooseFiles}>
      choose
    </button>
  );
}

async function drop(...files: File[]): Promise<HTMLElement> {
  const client = new QueryClient();
  client.setQueryData(["connectors"], RULES);
  render(
    <QueryClientProvider client={client}>
      <UploadProvider workspaceName="Quillmoor" mayUpload>
        <ChooseButton />
      </UploadProvider>
    </QueryClientProvider>,
  );
  await userEvent.setup({ applyAccept: false }).upload(screen.getByLabelText("Upload files"), files);
  return screen.findByRole("region", { name: "Uploads" });
}

// jsdom does not serialise a form with files, so the request itself is replaced; the journeys send real ones.
vi.mock("@/api/upload", () => ({
  uploadFiles: async (files: { path: string }[]): Promise<UploadOutcome> => {
    const names = files.map((file) => file.path);
    sent.push(...names);
    const refused = names.filter((name) => name.startsWith("picture"));
    if (refused.length === names.length) {
      throw new ApiError(415, { detail: "picture.md holds a picture.", code: "unsupported_file" });
    }
    return {
      sourceId: "s",
      documents: names
        .filter((name) => !refused.includes(name))
        .map((name) => ({
          id: name,
          name,
          state: "queued",
          replaced: name === "newer.md",
          unchanged: name === "same.md",
          sameAs: name === "twin.md" ? "handbook.md" : null,
        })),
      rejected: refused.map((name) => ({
        name,
        code: "unsupported_file",
        detail: `${name} holds a picture.`,
      })),
    };
  },
}));

beforeEach(() => {
  sent = [];
  server.use(http.get("/api/sources/connectors", () => HttpResponse.json(RULES)));
});

describe("uploads", () => {
  it("say of every file how it came out", async () => {
    const files = ["new.md", "newer.md", "same.md", "twin.md", "picture.md"].map(
      (name) => new File(["text"], name),
    );
    const panel = await drop(...files);
    const row = (name: string) => within(panel).getByText(name).closest("li");
    await within(panel).findByText("4 sent, 1 refused");
    expect(row("new.md")).toHaveTextContent("Sent, being read");
    expect(row("newer.md")).toHaveTextContent("Replaces the earlier file");
    expect(row("same.md")).toHaveTextContent("Already here, unchanged");
    expect(row("twin.md")).toHaveTextContent("handbook.md has the same content.");
    expect(row("picture.md")).toHaveTextContent("picture.md holds a picture.");
  });

  it("refuse before sending what cannot be read, with the reason", async () => {
    const panel = await drop(
      new File(["x"], "scan.exe"),
      new File([], "empty.md"),
      new File(["x"], "fine.md"),
    );
    expect(await within(panel).findByText(/Files of this kind cannot be read yet/)).toBeInTheDocument();
    expect(within(panel).getByText("This file is empty.")).toBeInTheDocument();
    await within(panel).findByText("Sent, being read");
    expect(sent).toEqual(["fine.md"]);
  });

  it("show the server's own sentence where it refuses the only file", async () => {
    const panel = await drop(new File(["x"], "picture.md"));
    expect(await within(panel).findByText("picture.md holds a picture.")).toBeInTheDocument();
  });
});
