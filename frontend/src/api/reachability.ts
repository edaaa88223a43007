/** Whether the server answers. The network may say "online" while nothing answers, so requests report too. */
let reachable = true;
const listeners = new Set<() => void>();

export function isReachable(): boolean {
  return reachable && navigator.onLine;
}

export function reportReachable(value: boolean): void {
  if (reachable === value) return;
  reachable = value;
  for (const listener of listeners) listener();
}

export function subscribeReachability(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

/** Asks the server whether it is there again. */
export async function probeServer(): Promise<boolean> {
  try {
    const response = await fetch("/api/health", { cache: "no-store" });
    reportReachable(response.ok);
  } catch {
    reportReachable(false);
  }
  return isReachable();
}
