import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowRight, Database, FileText, Library, type LucideIcon, Table2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { suggestionsQuery } from "@/api/queries/chats";
import { databasesQuery } from "@/api/queries/databases";
import { sourcesQuery } from "@/api/queries/sources";
import { allVerifiedQueriesQuery } from "@/api/queries/verifiedQueries";

const OF_DOCUMENTS_BESIDE_NUMBERS = 3;
const OF_NUMBERS = 4;

/** What can be asked here, in one line: the documents and the databases. */
export function Holdings() {
  const { t } = useTranslation();
  const { data } = useQuery(sourcesQuery);
  const { data: databases } = useQuery(databasesQuery);
  if (!data) return <p className="h-5 mt-3" />;
  const count = data.items.reduce((sum, source) => sum + source.documentCount, 0);
  const names = databases?.items.map((database) => database.name) ?? [];
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-ink-3 mt-3 pl-0.5 min-h-5">
      <span className="flex items-center gap-1.5">
        <Library size={14} aria-hidden />
        {count > 0 ? (
          t("chat.hello.holdings", {
            count,
            sources: data.items.map((source) => source.name).join(t("common.and")),
          })
        ) : (
          <span>
            {t("chat.hello.nothing")}{" "}
            <Link to="/sources" className="text-accent underline">
              {t("chat.hello.addDocuments")}
            </Link>
          </span>
        )}
      </span>
      {names.length > 0 && (
        <span className="flex items-center gap-1.5">
          <Database size={14} aria-hidden />
          {names.join(", ")}
        </span>
      )}
    </p>
  );
}

/** Questions to begin with: from the documents' own headings, and from the queries that people have verified. */
export function Beginnings({ disabled, onPick }: { disabled: boolean; onPick: (question: string) => void }) {
  const { t, i18n } = useTranslation();
  const { data: suggestions } = useQuery(suggestionsQuery(i18n.language));
  const { data: verified } = useQuery(allVerifiedQueriesQuery);
  const numbers = (verified?.items ?? []).filter((query) => query.state === "current").slice(0, OF_NUMBERS);
  const documents = (suggestions?.items ?? []).slice(
    0,
    numbers.length ? OF_DOCUMENTS_BESIDE_NUMBERS : undefined,
  );
  if (documents.length + numbers.length === 0) return null;
  const groups = [
    { name: t("chat.hello.fromDocuments"), icon: FileText, items: documents },
    { name: t("chat.hello.fromNumbers"), icon: Table2, items: numbers },
  ];
  return (
    <section className="mt-9 max-sm:mt-7" aria-labelledby="suggestions">
      <h2 id="suggestions" className="font-strong text-sm mb-1">
        {t("chat.hello.begin")}
      </h2>
      <div className="border-t border-line">
        {groups.map(
          ({ name, icon, items }) =>
            items.length > 0 && (
              <Group key={name} name={name} icon={icon}>
                {items.map(({ question }) => (
                  <BeginningRow key={question} question={question} disabled={disabled} onPick={onPick} />
                ))}
              </Group>
            ),
        )}
      </div>
    </section>
  );
}

function Group({
  name,
  icon: Icon,
  children,
}: {
  name: string;
  icon: LucideIcon;
  children: React.ReactNode;
}) {
  return (
    <div className="grid grid-cols-[118px_minmax(0,1fr)] max-sm:block border-b border-line py-[5px]">
      <p className="flex items-center gap-[7px] h-8 text-xs text-ink-3">
        <Icon size={14} aria-hidden />
        {name}
      </p>
      <ul className="list-none">{children}</ul>
    </div>
  );
}

interface BeginningProps {
  question: string;
  disabled: boolean;
  onPick: (question: string) => void;
}

function BeginningRow({ question, disabled, onPick }: BeginningProps) {
  return (
    <li>
      <button
        type="button"
        disabled={disabled}
        onClick={() => onPick(question)}
        className="group/suggestion flex items-center gap-3 w-full text-left py-[5px] max-sm:py-2.5 font-read text-[0.9688rem] leading-[1.45] enabled:hover:text-accent"
      >
        <span className="grow">{question}</span>
        <ArrowRight
          size={16}
          aria-hidden
          className="text-accent flex-none opacity-0 group-hover/suggestion:opacity-100 group-focus-visible/suggestion:opacity-100"
        />
      </button>
    </li>
  );
}
