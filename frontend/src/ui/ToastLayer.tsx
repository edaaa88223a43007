import { Toast as Base } from "@base-ui/react/toast";
import { CircleAlert, X } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "@/lib/cx";
import { IconButton } from "./Button";
import { type MessageData, takeMessages } from "./messages";

const manager = Base.createToastManager<MessageData>();

/** The messages that are shown; fetched with the first one. */
export function ToastLayer() {
  useEffect(() => takeMessages((message) => manager.add(message)), []);
  return (
    <Base.Provider toastManager={manager} limit={2}>
      <Base.Portal>
        <Base.Viewport className="fixed left-4 bottom-4 z-(--z-toast) flex flex-col gap-2 w-[min(380px,calc(100vw-2rem))] outline-none">
          <ToastList />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

function ToastList() {
  const { t } = useTranslation();
  const { toasts, close } = Base.useToastManager<MessageData>();
  return toasts.map((toast) => {
    const failed = toast.type === "error";
    return (
      <Base.Root
        key={toast.id}
        toast={toast}
        className={cx(
          "rounded-md shadow-float transition-opacity duration-(--duration-base) data-starting-style:opacity-0 data-ending-style:opacity-0 data-limited:hidden",
          failed ? "bg-raised text-ink border border-bad-line" : "bg-ink text-paper w-fit",
        )}
      >
        <Base.Content className={cx("flex gap-2.5 p-2.5 pl-3.5", failed ? "items-start" : "items-center")}>
          {failed && <CircleAlert size={16} className="text-bad mt-0.5" aria-hidden />}
          <div className="grow min-w-0">
            <Base.Title className={failed ? "font-strong" : "font-medium"} />
            {toast.description && <Base.Description className="text-ink-2" />}
            {toast.data?.requestId && (
              <p className="font-mono text-xs text-ink-3 mt-1">
                {t("common.request", { id: toast.data.requestId })}
              </p>
            )}
          </div>
          {toast.actionProps && (
            <Base.Action className="underline underline-offset-[3px] font-medium px-2 h-7 rounded-sm" />
          )}
          {failed && (
            <IconButton
              size="sm"
              label={t("common.close")}
              icon={<X size={16} />}
              onClick={() => close(toast.id)}
            />
          )}
        </Base.Content>
      </Base.Root>
    );
  });
}
