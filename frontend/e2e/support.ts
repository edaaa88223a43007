import axe from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const ORIGIN = process.env["E2E_ORIGIN"] ?? "http://localhost:8400";

let browser: Browser;
let signedIn: Awaited<ReturnType<BrowserContext["storageState"]>> | undefined;

/** Starts the browser for a file of journeys and signs in by the one-use link, once for all of them. */
export function withBrowser(): void {
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: process.env["E2E_CHROMIUM"] ?? "/usr/bin/chromium",
      args: FLAGS,
    });
  });
  afterAll(() => browser.close());
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
    ...(await session()),
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

async function session(): Promise<{ storageState: NonNullable<typeof signedIn> }> {
  if (!signedIn) {
    const saved = process.env["E2E_SESSION"];
    signedIn = saved ? JSON.parse(saved) : await enter();
    process.env["E2E_SESSION"] = JSON.stringify(signedIn);
  }
  return { storageState: signedIn as NonNullable<typeof signedIn> };
}

async function enter(): Promise<NonNullable<typeof signedIn>> {
  const link = process.env["E2E_LINK"];
  if (!link) throw new Error("E2E_LINK holds the sign-in link of a running installation");
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(link);
  await page.waitForURL((url) => !url.pathname.startsWith("/enter"));
  const state = await context.storageState();
  await context.close();
  return state;
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
