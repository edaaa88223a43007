import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSaveEmbeddingModel, useTestEmbeddingModel } from "@/api/queries/models";
import type { EmbeddingChange, ModelSettings } from "@/api/types";
import { Button } from "@/ui/Button";
import { Field } from "@/ui/Field";
import { useFailure } from "@/ui/failure";
import { Segments } from "@/ui/Segments";
import { showToast } from "@/ui/Toast";
import { SettingRow } from "./SettingRow";
import { TestOutcome } from "./TestOutcome";

type Settings = ModelSettings["embedding"];
type Provider = Settings["provider"];

const LOCAL_MODEL = "all-MiniLM-L6-v2";
const PROVIDERS: readonly Provider[] = ["local", "openai", "compatible"];

/** The model that search by meaning compares with; a change builds the new set beside the old one. */
export function EmbeddingChoice({ settings }: { settings: Settings }) {
  const { t } = useTranslation();
  const [editing, setEditing] = useState(false);
  const state = settings.workspacesBuilding
    ? t("settings.embedding.building", { count: settings.workspacesBuilding })
    : t("settings.embedding.covered");
  const facts = t("settings.embedding.facts", {
    provider: t(`settings.embedding.providers.${settings.provider}`),
    count: settings.dimensions,
  });
  return (
    <>
      <SettingRow
        title={t("settings.embedding.title")}
        detail={
          <>
            <span className="font-mono text-xs">{settings.model}</span> · {facts} {state}
          </>
        }
      >
        {!editing && (
          <Button size="sm" onClick={() => setEditing(true)}>
            {t("settings.embedding.change")}
          </Button>
        )}
      </SettingRow>
      {editing && <EmbeddingForm settings={settings} onDone={() => setEditing(false)} />}
    </>
  );
}

function EmbeddingForm({ settings, onDone }: { settings: Settings; onDone: () => void }) {
  const { t } = useTranslation();
  const failure = useFailure();
  const [provider, setProvider] = useState<Provider>(settings.provider);
  const [address, setAddress] = useState(settings.baseUrl ?? "");
  const [key, setKey] = useState("");
  const [model, setModel] = useState(settings.provider === "local" ? "" : settings.model);
  const [dimensions, setDimensions] = useState("");
  const [touched, setTouched] = useState(false);
  const test = useTestEmbeddingModel();
  const save = useSaveEmbeddingModel();
  const local = provider === "local";
  const change = changeOf({ provider, model, address, key, dimensions });
  const missing = !local && !model.trim();
  const noAddress = provider === "compatible" && !address.trim();
  const checked = (run: () => void) => {
    setTouched(true);
    if (!missing && !noAddress) run();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    checked(() =>
      save.mutate(change, {
        onSuccess: () => {
          showToast(t("settings.embedding.saved"));
          onDone();
        },
      }),
    );
  };
  const refused = save.error ?? test.error;
  return (
    <form
      onSubmit={submit}
      noValidate
      className="flex flex-col gap-4 py-4 border-b border-line"
      aria-label={t("settings.embedding.title")}
    >
      <div className="flex items-center gap-3 flex-wrap">
        <span className="font-medium">{t("settings.embedding.provider")}</span>
        <Segments
          label={t("settings.embedding.provider")}
          value={provider}
          onChange={setProvider}
          options={PROVIDERS.map((value) => ({ value, label: t(`settings.embedding.providers.${value}`) }))}
        />
      </div>
      {provider === "compatible" && (
        <Field
          label={t("settings.server.address")}
          type="url"
          value={address}
          help={t("settings.server.addressHelp")}
          error={touched && noAddress ? t("settings.server.addressMissing") : null}
          onChange={(event) => setAddress(event.target.value)}
        />
      )}
      {!local && (
        <div className="grid grid-cols-3 max-sm:grid-cols-1 gap-4">
          <Field
            label={t("settings.embedding.model")}
            placeholder="text-embedding-3-small"
            value={model}
            error={touched && missing ? t("settings.embedding.modelMissing") : null}
            onChange={(event) => setModel(event.target.value)}
          />
          <Field
            label={t("settings.server.key")}
            type="password"
            autoComplete="off"
            value={key}
            help={t(settings.apiKeyStored ? "settings.server.keyStored" : "settings.server.keyHelp")}
            onChange={(event) => setKey(event.target.value)}
          />
          <Field
            label={t("settings.embedding.dimensions")}
            inputMode="numeric"
            value={dimensions}
            help={t("settings.embedding.dimensionsHelp")}
            onChange={(event) => setDimensions(event.target.value.replace(/\D/g, ""))}
          />
        </div>
      )}
      <p className="text-sm text-ink-2">{t("settings.embedding.warning")}</p>
      <TestOutcome outcome={test.data} refusal={refused ? failure(refused) : null} />
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" type="submit" busy={save.isPending && t("settings.server.saving")}>
          {t("settings.server.save")}
        </Button>
        <Button
          disabled={local}
          busy={test.isPending && t("settings.server.testing")}
          onClick={() => checked(() => test.mutate(change))}
        >
          {t("settings.server.test")}
        </Button>
        <Button tone="quiet" onClick={onDone}>
          {t("common.cancel")}
        </Button>
      </div>
    </form>
  );
}

interface Draft {
  provider: Provider;
  model: string;
  address: string;
  key: string;
  dimensions: string;
}

/** What is sent: the model on this machine needs nothing, OpenAI no address. */
function changeOf(draft: Draft): EmbeddingChange {
  if (draft.provider === "local") return { provider: "local", model: LOCAL_MODEL };
  return {
    provider: draft.provider,
    model: draft.model.trim(),
    ...(draft.provider === "compatible" && { baseUrl: draft.address.trim() }),
    ...(draft.key && { apiKey: draft.key }),
    ...(draft.dimensions && { dimensions: Number(draft.dimensions) }),
  };
}
