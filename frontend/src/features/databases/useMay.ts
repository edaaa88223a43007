import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "@/api/queries/session";

interface May {
  /** Connect, change and delete databases; read everybody's statements. */
  manage: boolean;
  /** Describe tables, judge links, save queries, run SQL. */
  write: boolean;
}

/** What this person may do with databases here; the server judges each request by itself. */
export function useMay(): May {
  const { data } = useQuery(sessionQuery);
  const role = data?.activeWorkspace?.role;
  return {
    manage: role === "owner",
    write: role === "owner" || role === "member",
  };
}
