import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { CHROMIUM, FLAGS } from "./browser";

declare module "vitest" {
  interface ProvidedContext {
    /** Cookies of a signed-in browser, as JSON. */
    session: string;
  }
}

/** Opens the one-use link as a person does, once for all files of journeys. */
export default async function signIn({ provide }: TestProject): Promise<void> {
  const link = process.env["E2E_LINK"];
  if (!link) throw new Error("E2E_LINK holds the sign-in link of a running installation");
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(link);
  await page.waitForURL((url) => !url.pathname.startsWith("/enter"));
  provide("session", JSON.stringify(await context.storageState()));
  await browser.close();
}
