import axe from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject } from "vitest";
import { CHROMIUM, FLAGS } from "./browser";

export const ORIGIN = process.env["E2E_ORIGIN"] ?? "http://localhost:8400";

let browser: Browser;

/** Starts the browser for a file of journeys and signs in by the one-use link, once for all of them. */
export function withBrowser(): void {
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: FLAGS,
    });
  });
  afterAll(() => browser.close());
}

const MODEL_URL = process.env["E2E_MODEL_URL"];

/** Runs journeys with a model server behind the installation; where none is given they are skipped with one line. */
export function withModel(name: string, journeys: () => void): void {
  if (!MODEL_URL) {
    // biome-ignore lint/suspicious/noConsole: the one line that says what was not run
    console.log(`Skipped: ${name}. E2E_MODEL_URL names no model server.`);
    return;
  }
  describe(name, () => {
    beforeAll(() => settings("put", { baseUrl: MODEL_URL, apiKey: "sk-of-the-journeys" }));
    afterAll(() => settings("delete"));
    journeys();
  });
}

async function settings(method: "put" | "delete", data?: object): Promise<void> {
  const context = await browser.newContext(session());
  const answer = await context.request[method](`${ORIGIN}/api/settings/models/chat`, {
    headers: { Origin: ORIGIN },
    ...(data && { data }),
  });
  expect(answer.status()).toBe(200);
  await context.close();
}

interface Visit {
  page: Page;
  /** What the browser complained about: scripts that failed, rules of the content policy that were broken. */
  complaints: string[];
  /** Requests that went to any other host. */
  strangers: string[];
}

interface VisitOptions {
  width?: number;
  height?: number;
  theme?: "light" | "dark";
  language?: "en-GB" | "it-IT";
}

/** A page of the product as a person sees it who is signed in, in a browser of its own. */
export async function visit(path: string, options: VisitOptions = {}): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
    colorScheme: options.theme ?? "light",
    locale: options.language ?? "en-GB",
    reducedMotion: "reduce",
    ...session(),
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  const strangers: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !/status of (4\d\d|503)/.test(message.text()))
      complaints.push(message.text());
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http") && url.origin !== ORIGIN) strangers.push(request.url());
  });
  await page.goto(ORIGIN + path);
  return { page, complaints, strangers };
}

/** Asks as a new question and waits until the chat is open; the answer may still be on its way. */
export async function ask(question: string, options: VisitOptions = {}): Promise<Visit> {
  const opened = await visit("/", options);
  await opened.page.fill("#composer", question);
  await opened.page.keyboard.press("Enter");
  await opened.page.waitForURL(/\/chat\//);
  return opened;
}

/** Waits until an answer has ended, however it ended. */
export async function answered(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^(Regenerate|Rigenera)$/ }).waitFor();
}

/** The cookies of the browser that has opened the sign-in link. */
function session(): Pick<BrowserContextOptions, "storageState"> {
  return { storageState: JSON.parse(inject("session")) };
}

/** No serious fault of accessibility on the page as it stands. */
export async function expectAccessible(page: Page): Promise<void> {
  // Through the debugger, not a script tag: the content policy refuses scripts that are not the product's own.
  await page.evaluate(axe.source);
  const faults = await page.evaluate(async () => {
    const found = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"],
    });
    return found.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`,
    );
  });
  expect(faults).toEqual([]);
}
