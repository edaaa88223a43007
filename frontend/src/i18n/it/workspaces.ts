import type { workspaces as english } from "../en/workspaces";
import type { Same } from "../shape";

export const workspaces: Same<typeof english> = {
  title: "Spazi di lavoro",
  lead: "Uno spazio di lavoro tiene per sé documenti e conversazioni. Vedi solo quelli di cui fai parte.",
  none: "Non fai ancora parte di uno spazio di lavoro. Creane uno per aggiungere documenti e fare domande.",
  openNow: "Aperto ora",
  open: "Apri",
  opening: "Apertura",
  youOwn: "ne sei proprietario",
  youMember: "ne sei membro",
  youViewer: "puoi leggere",
  create: "Crea uno spazio di lavoro",
  createHelp: "Ne diventi proprietario. All’inizio è vuoto.",
  name: "Nome",
  namePlaceholder: "Per esempio Assistenza",
  nameMissing: "Dai un nome allo spazio di lavoro.",
  createAction: "Crea",
  creating: "Creazione",
  loadFailed: "Impossibile caricare gli spazi di lavoro",
};
