import type { reader as english } from "../en/reader";
import type { Same } from "../shape";

export const reader: Same<typeof english> = {
  image: "Immagine: {{alt}}",
  noAlt: "senza descrizione",
  done: "fatto",
  open: "da fare",
  table: "Tabella",
};
