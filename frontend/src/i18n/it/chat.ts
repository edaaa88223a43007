import type { chat as english } from "../en/chat";
import type { Same } from "../shape";

export const chat: Same<typeof english> = {
  title: "Domande",
};
