/** What travels between client and server. Times are ISO 8601 in UTC, ranges are Unicode code points. */
export interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  requestId: string;
  errors?: { path: string; message: string }[];
}

export type Role = "owner" | "member" | "viewer";

export interface Workspace {
  id: string;
  name: string;
  slug: string;
  joinCode: string | null;
  role: Role;
  memberCount: number;
  createdAt: string;
}

export interface SessionUser {
  id: string;
  email: string;
  name: string;
  imageUrl: string | null;
  instanceOwner: boolean;
}

export interface Session {
  user: SessionUser;
  activeWorkspace: Workspace | null;
}

export interface SignInProvider {
  id: string;
  label: string;
  missingVariables: string[];
}

export interface SyncPass {
  id: string;
  state: "queued" | "running" | "completed" | "completed_with_errors" | "failed" | "cancelled";
  found: number;
  new: number;
  changed: number;
  unchanged: number;
  failed: number;
  deleted: number;
  startedAt: string | null;
  finishedAt: string | null;
  message: string | null;
}

export interface Source {
  id: string;
  provider: string;
  name: string;
  state: "active" | "error" | "reauth_required" | "paused";
  lastSyncedAt: string | null;
  documentCount: number;
  chunkCount: number;
  pass: SyncPass | null;
}

export type DocumentState = "queued" | "reading" | "indexing" | "ready" | "failed" | "needs_ocr";
export type DocumentType = "markdown" | "text" | "csv" | "json" | "html";

export interface SourceDocument {
  id: string;
  sourceId: string;
  /** What the source calls it: for uploads the file name with its folders. */
  name: string;
  title: string;
  url: string | null;
  type: DocumentType | null;
  state: DocumentState;
  failure: { code: string; detail: string } | null;
  updatedAt: string;
  lastIndexedAt: string | null;
  chunkCount: number;
  language: string | null;
  author: string | null;
  notes: string[];
}

export interface PassageRange {
  start: number;
  end: number;
}

export interface DocumentText {
  text: string;
  ranges: { chunkId: string; chunkIndex: number; start: number; end: number }[];
}

export interface DocumentChunk {
  id: string;
  chunkIndex: number;
  headingPath: string[];
  text: string;
  kind: string;
  range: PassageRange;
  tokenCount: number;
}

export interface UploadAnswer {
  sourceId: string;
  documents: { id: string; name: string; state: DocumentState; replaced: boolean }[];
  rejected: { name: string; code: string; detail: string }[];
}

export interface Connectors {
  uploads: { fileExtensions: string[]; maxBytes: number };
  providers: { provider: string; label: string; missingVariables: string[] }[];
}

export type MatchKind = "both" | "dense" | "lexical";

export interface SearchHit {
  documentId: string;
  title: string;
  url: string | null;
  headingPath: string[];
  snippet: string;
  matchKind: MatchKind;
  score: number;
  range: PassageRange;
  updatedAt: string | null;
  highlights: PassageRange[];
}

export interface Chat {
  id: string;
  title: string;
  createdAt: string;
  updatedAt: string;
}

export type ChatWire = "auto" | "responses" | "chat_completions";

export interface ModelSettings {
  chat: {
    heldBy: "page" | "environment" | "none";
    baseUrl: string | null;
    apiKeyStored: boolean;
    wire: ChatWire;
    resolvedWire: ChatWire | null;
    models: string[];
    defaultModelId: string | null;
    contextWindow: number | null;
  };
  embedding: {
    heldBy: "page" | "environment" | "none";
    id: string;
    provider: "local" | "openai" | "compatible";
    baseUrl: string | null;
    apiKeyStored: boolean;
    model: string;
    dimensions: number;
    workspacesBuilding: number;
  };
}

export interface ChatServerChange {
  baseUrl: string;
  apiKey?: string | null;
  wire?: ChatWire;
  models?: string[];
  defaultModelId?: string | null;
  contextWindow?: number | null;
}

export interface EmbeddingChange {
  provider: "local" | "openai" | "compatible";
  baseUrl?: string | null;
  apiKey?: string | null;
  model: string;
  dimensions?: number | null;
}

export interface ModelTestOutcome {
  ok: boolean;
  sentence: string;
  milliseconds: number;
  wire: ChatWire | null;
  dimensions: number | null;
  models: string[];
}

export interface NearbyServer {
  baseUrl: string;
  label: string;
  models: string[];
}

export interface ChatModelItem {
  id: string;
  label: string;
  provider: string;
  local: boolean;
  capabilities: string[];
  available: boolean;
}

export interface ChatModelPage {
  items: ChatModelItem[];
  defaultModelId: string;
}
