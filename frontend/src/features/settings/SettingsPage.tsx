import { useQuery } from "@tanstack/react-query";
import { Cpu, Keyboard, Monitor } from "lucide-react";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { modelSettingsQuery } from "@/api/queries/models";
import { sessionQuery } from "@/api/queries/session";
import { Page } from "@/ui/Page";
import { Skeleton, Waiting } from "@/ui/Skeleton";
import { ErrorState } from "@/ui/States";
import { AppearanceRows, KeyRows } from "./Appearance";
import { ChatServer } from "./ChatServer";
import { EmbeddingChoice } from "./EmbeddingChoice";
import { NearbyServers } from "./NearbyServers";

/** What a person sets for themselves, and what the owner of the installation sets for all. */
export function SettingsPage() {
  const { t } = useTranslation();
  return (
    <Page title={t("settings.title")}>
      <div className="grid grid-cols-[11.5rem_minmax(0,1fr)] max-md:grid-cols-1 gap-12 max-md:gap-6">
        <nav aria-label={t("settings.sections")} className="max-md:hidden">
          <SectionLinks heading={t("settings.instance")}>
            <SectionLink to="models" icon={<Cpu size={16} aria-hidden />} label={t("settings.models")} />
          </SectionLinks>
          <SectionLinks heading={t("settings.you")}>
            <SectionLink
              to="appearance"
              icon={<Monitor size={16} aria-hidden />}
              label={t("settings.appearance")}
            />
            <SectionLink to="keys" icon={<Keyboard size={16} aria-hidden />} label={t("settings.keys")} />
          </SectionLinks>
        </nav>
        <div className="flex flex-col gap-12 min-w-0">
          <Section id="models" title={t("settings.models")} lead={t("settings.modelsLead")}>
            <Models />
          </Section>
          <Section id="appearance" title={t("settings.appearance")}>
            <AppearanceRows />
          </Section>
          <Section id="keys" title={t("settings.keys")}>
            <KeyRows />
          </Section>
        </div>
      </div>
    </Page>
  );
}

function Models() {
  const { t } = useTranslation();
  const { data: session } = useQuery(sessionQuery);
  const owner = session?.user.instanceOwner;
  const { data, error, refetch } = useQuery({ ...modelSettingsQuery, enabled: Boolean(owner) });
  if (owner === false) return <p className="text-ink-2 text-md">{t("settings.ownerOnly")}</p>;
  if (error)
    return <ErrorState title={t("settings.loadFailed")} error={error} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <Waiting>
        <div className="bg-raised border border-line rounded-md p-5 flex flex-col gap-4">
          <Skeleton className="w-1/2 h-4" />
          <Skeleton className="w-2/3" />
          <Skeleton className="w-1/3" />
        </div>
      </Waiting>
    );
  }
  return (
    <div className="flex flex-col">
      <ChatServer settings={data.chat} />
      {data.chat.heldBy === "none" && <NearbyServers />}
      <EmbeddingChoice settings={data.embedding} />
    </div>
  );
}

function Section({
  id,
  title,
  lead,
  children,
}: {
  id: string;
  title: string;
  lead?: string;
  children: ReactNode;
}) {
  const heading = useId();
  return (
    <section id={id} aria-labelledby={heading} className="scroll-mt-6">
      <h2 id={heading} className="font-read font-medium text-xl leading-tight">
        {title}
      </h2>
      {lead && <p className="text-ink-2 mt-1">{lead}</p>}
      <div className="mt-4">{children}</div>
    </section>
  );
}

function SectionLinks({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <>
      <h2 className="caps px-2 pt-4 pb-1 first:pt-0">{heading}</h2>
      {children}
    </>
  );
}

function SectionLink({ to, icon, label }: { to: string; icon: ReactNode; label: string }) {
  return (
    <a
      href={`#${to}`}
      className="flex items-center gap-2.5 h-8 px-2 rounded-sm text-ink-2 font-medium no-underline hover:bg-hover hover:text-ink"
    >
      {icon}
      {label}
    </a>
  );
}
