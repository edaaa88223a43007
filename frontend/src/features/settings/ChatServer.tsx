import { ArrowUpRight, Check, Cpu, KeyRound, Lock, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { useDeleteChatServer } from "@/api/queries/models";
import type { ModelSettings } from "@/api/types";
import { Button } from "@/ui/Button";
import { useFailure } from "@/ui/failure";
import { showErrorToast, showToast } from "@/ui/Toast";
import { ChatServerForm } from "./ChatServerForm";

type Settings = ModelSettings["chat"];

/** Who writes the answers: nobody yet, a server of the environment, or one that was set here. */
export function ChatServer({ settings }: { settings: Settings }) {
  const { t } = useTranslation();
  const [editing, setEditing] = useState(false);
  return (
    <section className="bg-raised border border-line rounded-md shadow-page overflow-hidden">
      <header className="flex items-center gap-3 px-4 py-3.5 bg-sunken border-b border-line text-sm">
        <KeyRound size={18} aria-hidden className="flex-none" />
        <p>
          <b className="font-strong">
            {settings.heldBy === "none"
              ? t("settings.noKey")
              : t("settings.keySet", { server: settings.baseUrl })}
          </b>{" "}
          {t(settings.heldBy === "none" ? "settings.noKeyDetail" : "settings.keySetDetail")}
        </p>
      </header>
      {settings.heldBy === "none" ? <WhatAModelAdds /> : <Held settings={settings} />}
      <div className="p-4 border-t border-line">
        {editing ? (
          <ChatServerForm settings={settings} onDone={() => setEditing(false)} />
        ) : (
          <div className="flex flex-wrap gap-2">
            <Button tone={settings.heldBy === "none" ? "primary" : "plain"} onClick={() => setEditing(true)}>
              {t(settings.heldBy === "page" ? "settings.server.edit" : "settings.server.add")}
            </Button>
            {settings.heldBy === "page" && <RemoveButton />}
          </div>
        )}
      </div>
    </section>
  );
}

function RemoveButton() {
  const { t } = useTranslation();
  const failure = useFailure();
  const remove = useDeleteChatServer();
  return (
    <Button
      tone="quiet"
      busy={remove.isPending && t("settings.server.removing")}
      onClick={() =>
        remove.mutate(undefined, {
          onSuccess: () => showToast(t("settings.server.removed")),
          onError: (error) =>
            showErrorToast(t("common.failed.action"), failure(error).detail, failure(error).requestId),
        })
      }
    >
      {t("settings.server.remove")}
    </Button>
  );
}

function Held({ settings }: { settings: Settings }) {
  const { t } = useTranslation();
  return (
    <dl className="px-4 py-3.5 text-sm grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
      <dt className="text-ink-3">{t("settings.server.models")}</dt>
      <dd>{settings.models.join(t("common.and")) || "–"}</dd>
      <dt className="text-ink-3">{t("settings.server.default")}</dt>
      <dd>{settings.defaultModelId ?? settings.models[0] ?? "–"}</dd>
      <dt className="text-ink-3">{t("settings.server.wire")}</dt>
      <dd>{t(`settings.server.wires.${settings.resolvedWire ?? settings.wire}`)}</dd>
      <dd className="col-span-2 text-ink-3 mt-1">
        {t(settings.heldBy === "page" ? "settings.heldByPage" : "settings.heldByEnvironment")}
      </dd>
    </dl>
  );
}

function WhatAModelAdds() {
  const { t } = useTranslation();
  return (
    <div className="grid grid-cols-2 max-sm:grid-cols-1 divide-x max-sm:divide-x-0 max-sm:divide-y divide-line">
      <List icon={<Cpu size={16} aria-hidden />} title={t("settings.now")}>
        <Item icon={<Check size={14} aria-hidden />}>{t("settings.nowList.search")}</Item>
        <Item icon={<Check size={14} aria-hidden />}>{t("settings.nowList.answers")}</Item>
        <Item icon={<Lock size={14} aria-hidden />}>{t("settings.nowList.private")}</Item>
      </List>
      <List icon={<KeyRound size={16} aria-hidden />} title={t("settings.withKey")}>
        <Item icon={<Plus size={14} aria-hidden />}>{t("settings.withKeyList.sentences")}</Item>
        <Item icon={<Plus size={14} aria-hidden />}>{t("settings.withKeyList.together")}</Item>
        <Item icon={<ArrowUpRight size={14} aria-hidden />}>{t("settings.withKeyList.sent")}</Item>
      </List>
    </div>
  );
}

function List({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <div className="p-4">
      <h3 className="flex items-center gap-2 font-strong text-sm">
        {icon}
        {title}
      </h3>
      <ul className="mt-2.5 flex flex-col gap-1.5 text-sm text-ink-2 list-none">{children}</ul>
    </div>
  );
}

function Item({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex items-start gap-2.5">
      <span className="text-ink-3 mt-[3px] flex-none">{icon}</span>
      {children}
    </li>
  );
}
