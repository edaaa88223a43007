import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "@/api/queries/session";

/** Whether this person may run, export and verify SQL of their own here; the server decides. */
export function useMayRun(): boolean {
  const { data } = useQuery(sessionQuery);
  const role = data?.activeWorkspace?.role;
  return role === "owner" || role === "member";
}
