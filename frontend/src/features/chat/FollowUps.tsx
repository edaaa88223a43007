import { ArrowRight } from "lucide-react";
import { useTranslation } from "react-i18next";

/** Questions that come next; picking one asks it. */
export function FollowUps({
  questions,
  onPick,
}: {
  questions: readonly string[];
  onPick: (question: string) => void;
}) {
  const { t } = useTranslation();
  if (questions.length === 0) return null;
  return (
    <ul className="mt-6 border-t border-line list-none" aria-label={t("chat.answer.followUps")}>
      {questions.map((question) => (
        <li key={question} className="border-b border-line">
          <button
            type="button"
            onClick={() => onPick(question)}
            className="flex items-center gap-3 w-full text-left py-2.5 px-0.5 font-read text-md hover:bg-hover"
          >
            <span className="grow">{question}</span>
            <ArrowRight size={16} className="text-accent flex-none" aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  );
}
