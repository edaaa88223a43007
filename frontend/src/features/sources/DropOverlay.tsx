import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { connectorsQuery } from "@/api/queries/sources";
import { fileSize, kindNames } from "@/lib/files";

/** Covers the window while files are held over it. */
export function DropOverlay({ count, workspaceName }: { count: number; workspaceName: string }) {
  const { t, i18n } = useTranslation();
  const { data } = useQuery(connectorsQuery);
  return (
    <div className="fixed inset-0 z-(--z-drop) pointer-events-none bg-accent-soft/97 p-[18px]">
      <div className="grid h-full place-content-center justify-items-center gap-1.5 rounded-lg border-2 border-dashed border-accent text-center px-6">
        <Leaves />
        <p className="font-read font-medium text-3xl leading-tight tracking-[-0.015em] mt-7">
          {count > 0
            ? t("sources.drop.title", { count, workspace: workspaceName })
            : t("sources.drop.titlePlain", { workspace: workspaceName })}
        </p>
        {data && (
          <>
            <p className="text-md text-ink-2">
              {t("sources.drop.who", { size: fileSize(data.uploads.maxBytes, i18n.language) })}
            </p>
            <p className="text-md text-ink-2">{kindNames(data.uploads.fileExtensions)}</p>
          </>
        )}
      </div>
    </div>
  );
}

function Leaves() {
  return (
    <svg viewBox="0 -4 156 128" width="156" height="128" aria-hidden>
      {[-9, 8].map((turn) => (
        <rect
          key={turn}
          x={turn < 0 ? 10 : 68}
          y="12"
          width="76"
          height="98"
          rx="5"
          transform={`rotate(${turn} 78 60)`}
          className="fill-raised stroke-line-strong"
        />
      ))}
      <rect x="39" y="2" width="78" height="100" rx="5" className="fill-raised stroke-line-strong" />
      <path d="M53 20h50M53 44h42M53 58h50" strokeWidth="4" strokeLinecap="round" className="stroke-line" />
      <path d="M53 32h50" strokeWidth="4" strokeLinecap="round" className="stroke-marker-edge" />
    </svg>
  );
}
