import { useTranslation } from "react-i18next";

/** What the product does, as one picture: a question, its answer, and the words the answer rests on. */
export function SignInExample() {
  const { t } = useTranslation();
  const bracket = "absolute inset-y-0 w-9 border-y-[5px] border-accent-line";
  return (
    <div className="relative w-[min(40rem,88%)] h-[27rem] grid place-items-center">
      <span className={`${bracket} left-0 border-l-[5px]`} />
      <span className={`${bracket} right-0 border-r-[5px]`} />
      <div className="w-[78%] bg-raised border border-line rounded-md shadow-raise px-8 pt-7 pb-9 -mt-16">
        <p className="font-read font-medium text-[1.375rem]">{t("auth.example.question")}</p>
        <p className="font-read text-[1.1875rem] leading-[1.55] mt-3">
          {t("auth.example.answer")} <Mark number={1} />.
        </p>
      </div>
      <div className="absolute right-[7%] bottom-[17%] w-[52%] bg-raised border border-line-strong rounded-md shadow-float px-5 py-4">
        <p className="flex items-center gap-2 font-strong">
          <Mark number={1} /> {t("auth.example.document")}
        </p>
        <p className="font-read text-[0.9375rem] leading-relaxed text-ink-2 mt-2">
          {t("auth.example.before")} <mark>{t("auth.example.quote")}</mark>
        </p>
      </div>
    </div>
  );
}

function Mark({ number }: { number: number }) {
  return (
    <span className="inline-grid place-items-center min-w-[18px] h-[17px] px-1 rounded-xs bg-accent text-on-accent font-ui font-strong text-2xs align-[0.16em]">
      {number}
    </span>
  );
}
