import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSaveChatServer, useTestChatServer } from "@/api/queries/models";
import type { ChatServerChange, ChatWire, ModelSettings } from "@/api/types";
import { Button } from "@/ui/Button";
import { Field } from "@/ui/Field";
import { useFailure } from "@/ui/failure";
import { Segments } from "@/ui/Segments";
import { showToast } from "@/ui/Toast";
import { TestOutcome } from "./TestOutcome";

interface ChatServerFormProps {
  settings: ModelSettings["chat"];
  onDone: () => void;
}

const WIRES: readonly ChatWire[] = ["auto", "responses", "chat_completions"];
const LEAST_WINDOW = 1000;

/** Address, key and models of a server; it is asked once before it is believed. */
export function ChatServerForm({ settings, onDone }: ChatServerFormProps) {
  const { t } = useTranslation();
  const failure = useFailure();
  const ours = settings.heldBy === "page" ? settings : null;
  const [address, setAddress] = useState(ours?.baseUrl ?? "");
  const [key, setKey] = useState("");
  const [models, setModels] = useState(ours?.models.join(", ") ?? "");
  const [windowSize, setWindowSize] = useState(ours?.contextWindow?.toString() ?? "");
  const [wire, setWire] = useState<ChatWire>(ours?.wire ?? "auto");
  const [touched, setTouched] = useState(false);
  const test = useTestChatServer();
  const save = useSaveChatServer();
  const windowBad =
    windowSize !== "" && !(Number.isInteger(Number(windowSize)) && Number(windowSize) >= LEAST_WINDOW);
  const missing = touched && !address.trim();
  const names = models
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
  const change: ChatServerChange = {
    baseUrl: address.trim(),
    wire,
    models: names,
    defaultModelId: names[0] ?? null,
    contextWindow: windowSize ? Number(windowSize) : null,
    ...(key && { apiKey: key }),
  };
  const checked = (run: () => void) => {
    setTouched(true);
    if (address.trim() && !windowBad) run();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    checked(() =>
      save.mutate(change, {
        onSuccess: () => {
          showToast(t("settings.server.saved"));
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
      className="flex flex-col gap-4"
      aria-label={t("settings.server.title")}
    >
      <p className="text-sm text-ink-2">{t("settings.server.help")}</p>
      <Field
        label={t("settings.server.address")}
        type="url"
        placeholder="https://api.openai.com/v1"
        value={address}
        help={t("settings.server.addressHelp")}
        error={missing ? t("settings.server.addressMissing") : null}
        onChange={(event) => setAddress(event.target.value)}
      />
      <Field
        label={t("settings.server.key")}
        type="password"
        autoComplete="off"
        value={key}
        help={t(ours?.apiKeyStored ? "settings.server.keyStored" : "settings.server.keyHelp")}
        onChange={(event) => setKey(event.target.value)}
      />
      <div className="grid grid-cols-2 max-sm:grid-cols-1 gap-4">
        <Field
          label={t("settings.server.models")}
          value={models}
          help={t("settings.server.modelsHelp")}
          onChange={(event) => setModels(event.target.value)}
        />
        <Field
          label={t("settings.server.window")}
          inputMode="numeric"
          value={windowSize}
          help={t("settings.server.windowHelp")}
          error={windowBad ? t("settings.server.windowBad") : null}
          onChange={(event) => setWindowSize(event.target.value)}
        />
      </div>
      <div className="flex items-center gap-3 flex-wrap">
        <span className="font-medium">{t("settings.server.wire")}</span>
        <Segments
          label={t("settings.server.wire")}
          value={wire}
          onChange={setWire}
          options={WIRES.map((value) => ({ value, label: t(`settings.server.wires.${value}`) }))}
        />
      </div>
      <TestOutcome outcome={test.data} refusal={refused ? failure(refused) : null} />
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" type="submit" busy={save.isPending && t("settings.server.saving")}>
          {t("settings.server.save")}
        </Button>
        <Button
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
