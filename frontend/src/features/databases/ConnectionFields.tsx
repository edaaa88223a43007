import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { DatabaseConnection, TlsMode } from "@/api/types";
import { Field, SelectField, TextField } from "@/ui/Field";
import { type ConnectionDraft, type Needed, withHost } from "./model/connectionDraft";

interface ConnectionFieldsProps {
  draft: ConnectionDraft;
  onChange: (draft: ConnectionDraft) => void;
  errors: Partial<Record<Needed, string>>;
  /** The connection as it is stored, where it is. */
  stored: DatabaseConnection | undefined;
  /** An existing connection is edited: columns can be kept out. */
  editing: boolean;
  /** Puts the cursor on the role, for another one. */
  focusRole: boolean;
}

const MODES: readonly TlsMode[] = ["verify", "require", "off"];

/** Name, purpose, address and role of a database. A whole postgres:// address may be pasted as the host. */
export function ConnectionFields({
  draft,
  onChange,
  errors,
  stored,
  editing,
  focusRole,
}: ConnectionFieldsProps) {
  const { t } = useTranslation();
  const role = useRef<HTMLInputElement>(null);
  const set = (change: Partial<ConnectionDraft>) => onChange({ ...draft, ...change });
  useEffect(() => {
    if (!focusRole) return;
    role.current?.focus();
    role.current?.select();
  }, [focusRole]);
  return (
    <div className="grid gap-3.5">
      <Field
        label={t("databases.form.name")}
        value={draft.name}
        maxLength={100}
        placeholder={t("databases.form.nameHelp")}
        error={errors.name}
        onChange={(event) => set({ name: event.target.value })}
      />
      <TextField
        label={t("databases.form.description")}
        value={draft.description}
        maxLength={2000}
        help={t("databases.form.descriptionHelp")}
        onChange={(event) => set({ description: event.target.value })}
      />
      <div className="grid grid-cols-[minmax(0,1fr)_5.75rem] gap-3">
        <Field
          label={t("databases.form.host")}
          value={draft.host}
          autoComplete="off"
          spellCheck={false}
          help={stored ? undefined : t("databases.form.hostHelp")}
          error={errors.host}
          onChange={(event) => onChange(withHost(draft, event.target.value))}
        />
        <Field
          label={t("databases.form.port")}
          value={draft.port}
          inputMode="numeric"
          error={errors.port}
          onChange={(event) => set({ port: event.target.value })}
        />
      </div>
      <div className="grid grid-cols-2 max-[26rem]:grid-cols-1 gap-3">
        <Field
          label={t("databases.form.database")}
          value={draft.database}
          autoComplete="off"
          spellCheck={false}
          error={errors.database}
          onChange={(event) => set({ database: event.target.value })}
        />
        <SelectField
          label={t("databases.form.tls")}
          value={draft.tls}
          help={t(`databases.form.tlsHelp.${draft.tls}`)}
          options={MODES.map((value) => ({ value, label: t(`databases.form.tlsModes.${value}`) }))}
          onChange={(tls) => set({ tls })}
        />
        <Field
          ref={role}
          label={t("databases.form.username")}
          value={draft.username}
          autoComplete="off"
          spellCheck={false}
          error={errors.username}
          onChange={(event) => set({ username: event.target.value })}
        />
        <Field
          label={t("databases.form.password")}
          type="password"
          value={draft.password}
          autoComplete="new-password"
          help={stored ? t("databases.form.passwordKept") : undefined}
          error={errors.password}
          onChange={(event) => set({ password: event.target.value })}
        />
      </div>
      {draft.tls === "verify" && (
        <Certificate draft={draft} set={set} kept={stored?.hasCaCertificate ?? false} />
      )}
      {editing && (
        <TextField
          mono
          label={t("databases.form.denied")}
          value={draft.denied}
          spellCheck={false}
          placeholder="public.employee.salary"
          help={t("databases.form.deniedHelp")}
          onChange={(event) => set({ denied: event.target.value })}
        />
      )}
    </div>
  );
}

interface CertificateProps {
  draft: ConnectionDraft;
  set: (change: Partial<ConnectionDraft>) => void;
  kept: boolean;
}

function Certificate({ draft, set, kept }: CertificateProps) {
  const { t } = useTranslation();
  return (
    <details open={kept || draft.certificate !== ""}>
      <summary className="font-medium text-accent w-fit rounded-xs py-1">
        {t("databases.form.certificate")}
      </summary>
      <div className="mt-2 grid gap-2">
        <TextField
          mono
          hideLabel
          label={t("databases.form.certificate")}
          value={draft.certificate}
          rows={4}
          spellCheck={false}
          placeholder="-----BEGIN CERTIFICATE-----"
          help={t(kept ? "databases.form.certificateKept" : "databases.form.certificateHelp")}
          onChange={(event) => set({ certificate: event.target.value })}
        />
        {kept && (
          <button
            type="button"
            aria-pressed={draft.removeCertificate}
            className="text-accent underline underline-offset-[3px] decoration-1 justify-self-start rounded-xs py-1"
            onClick={() => set({ removeCertificate: !draft.removeCertificate })}
          >
            {t(
              draft.removeCertificate ? "databases.form.certificateKeep" : "databases.form.certificateRemove",
            )}
          </button>
        )}
      </div>
    </details>
  );
}
