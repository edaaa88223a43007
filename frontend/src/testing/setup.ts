import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, beforeAll } from "vitest";
import { startI18n } from "@/i18n/i18n";
import { server } from "./server";

// A loaded machine draws late; what never comes still fails.
configure({ asyncUtilTimeout: 5_000 });

// What jsdom lacks and the page asks for: media queries (always a wide screen) and measured layout.
window.matchMedia = (query: string) =>
  ({
    matches: query.includes("min-width"),
    media: query,
    addEventListener: () => {},
    removeEventListener: () => {},
  }) as unknown as MediaQueryList;
globalThis.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
Element.prototype.scrollIntoView = () => {};

beforeAll(async () => {
  server.listen({ onUnhandledRequest: "error" });
  await startI18n();
});
afterEach(() => {
  cleanup();
  server.resetHandlers();
});
afterAll(() => server.close());
