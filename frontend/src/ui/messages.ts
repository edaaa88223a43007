export interface MessageData {
  /** The number to quote, where a request failed. */
  requestId: string | null;
}

interface Message {
  title: string;
  description?: string;
  type?: "error";
  timeout: number;
  priority?: "high";
  actionProps?: { children: string; onClick: () => void };
  data?: MessageData;
}

const waiting: Message[] = [];
const listeners = new Set<() => void>();
let show: ((message: Message) => void) | null = null;
let wanted = false;

/** Shows a message, now or as soon as what draws it is here. */
export function say(message: Message): void {
  if (show) show(message);
  else waiting.push(message);
  wanted = true;
  for (const listener of listeners) listener();
}

/** Hands over the messages said so far and all that follow. Gives back how to stop. */
export function takeMessages(take: (message: Message) => void): () => void {
  show = take;
  for (const message of waiting.splice(0)) take(message);
  return () => {
    show = null;
  };
}

export function subscribeMessages(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether anything was ever said on this page. */
export function anythingSaid(): boolean {
  return wanted;
}
