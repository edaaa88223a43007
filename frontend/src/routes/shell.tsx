import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { createRoute, Outlet, redirect, useLocation } from "@tanstack/react-router";
import { ApiError } from "@/api/errors";
import { sessionQuery } from "@/api/queries/session";
import { needsHand, sourcesQuery } from "@/api/queries/sources";
import type { Workspace } from "@/api/types";
import { Account } from "@/features/shell/Account";
import { AppShell } from "@/features/shell/AppShell";
import { ChatLinks } from "@/features/shell/ChatLinks";
import { GlobalKeys } from "@/features/shell/GlobalKeys";
import { RouteError, RouteNotFound } from "@/features/shell/RouteStates";
import { Sidebar } from "@/features/shell/Sidebar";
import { WorkspaceSwitcher } from "@/features/shell/WorkspaceSwitcher";
import { UploadProvider, useUploads } from "@/features/sources/UploadProvider";
import { rootRoute } from "./root";

/** Everything that stands beside the sidebar. Who is not signed in is led to sign-in and comes back after it. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  beforeLoad: async ({ context, location }) => {
    try {
      const session = await context.queryClient.ensureQueryData(sessionQuery);
      if (!session.activeWorkspace && location.pathname !== "/workspaces")
        throw redirect({ to: "/workspaces" });
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.status !== 401) throw failure;
      const next = location.href === "/" ? {} : { next: location.href };
      throw redirect({ to: "/signin", search: next });
    }
  },
  component: ShellPage,
  errorComponent: RouteError,
  notFoundComponent: RouteNotFound,
});

function ShellPage() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { pathname } = useLocation();
  const workspace = session.activeWorkspace;
  return (
    <UploadProvider
      workspaceName={workspace?.name ?? null}
      mayUpload={workspace !== null && workspace.role !== "viewer"}
    >
      <AppShell place={pathname} sidebar={<SidebarParts workspace={workspace} />}>
        <Outlet />
      </AppShell>
      <Keys />
    </UploadProvider>
  );
}

function Keys() {
  const { chooseFiles } = useUploads();
  return <GlobalKeys onUpload={chooseFiles} />;
}

function SidebarParts({ workspace }: { workspace: Workspace | null }) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { data: sources } = useQuery({ ...sourcesQuery, enabled: workspace !== null });
  return (
    <Sidebar
      workspace={workspace && <WorkspaceSwitcher active={workspace} />}
      chats={workspace && <ChatLinks />}
      account={<Account user={session.user} />}
      sourcesNeedHand={sources?.items.some(needsHand) ?? false}
    />
  );
}
