/** The failures of an answer that have words of their own. */
const CODES = [
  "model_rate_limited",
  "model_quota",
  "model_unreachable",
  "model_unauthorized",
  "model_unknown",
  "model_refused",
  "model_cut",
  "model_incomplete",
  "model_malformed",
  "model_silent",
  "model_context_overflow",
  "server_stopping",
  "server_lost",
  "unavailable",
] as const;

export type FailureCode = (typeof CODES)[number] | "other";

/** The code of a failed turn, `other` for one that has no words here. */
export function failureCode(code: string | null): FailureCode {
  return CODES.find((known) => known === code) ?? "other";
}
