import { useQuery } from "@tanstack/react-query";

/** SQL set out over lines; as it was written until the formatter is here. */
export function useFormattedSql(sql: string, wanted = true): string {
  const { data } = useQuery({
    queryKey: ["formatted-sql", sql],
    queryFn: async () => (await import("./model/formatSql")).formatSql(sql),
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: "always",
    retry: false,
  });
  return data ?? sql;
}
