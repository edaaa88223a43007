import { Trans } from "react-i18next";
import { Time } from "@/ui/Time";

/** Where and when a query ran: "Sales ledger, run 2 hours ago". */
export function RelativeMoment({ database, iso }: { database: string; iso: string }) {
  return (
    <Trans i18nKey="results.receipt.ran" values={{ database }} components={{ time: <Time iso={iso} /> }} />
  );
}
