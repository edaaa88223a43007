import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "./root";

const text = (value: unknown): string | undefined => (typeof value === "string" && value ? value : undefined);

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/signin",
  validateSearch: (search): { error?: string; next?: string } => {
    const error = text(search["error"]);
    const next = text(search["next"]);
    return { ...(error && { error }), ...(next && { next }) };
  },
  component: lazyRouteComponent(() => import("@/features/auth/SignInPage"), "SignInPage"),
});

export const enterRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/enter",
  component: lazyRouteComponent(() => import("@/features/auth/EnterPage"), "EnterPage"),
});
