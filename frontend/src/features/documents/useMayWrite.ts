import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "@/api/queries/session";

/** Whether this person may change documents here at all; the server judges each document by itself. */
export function useMayWrite(): boolean {
  const { data } = useQuery(sessionQuery);
  const role = data?.activeWorkspace?.role;
  return role === "owner" || role === "member";
}
