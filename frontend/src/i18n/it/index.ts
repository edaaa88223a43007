import type { en } from "../en";
import type { Same } from "../shape";
import { auth } from "./auth";
import { chat } from "./chat";
import { common } from "./common";
import { databases } from "./databases";
import { documents } from "./documents";
import { reader } from "./reader";
import { results } from "./results";
import { search } from "./search";
import { settings } from "./settings";
import { shell } from "./shell";
import { sources } from "./sources";
import { workspaces } from "./workspaces";

export const it: Same<typeof en> = {
  auth,
  chat,
  common,
  databases,
  documents,
  reader,
  results,
  search,
  settings,
  shell,
  sources,
  workspaces,
};
