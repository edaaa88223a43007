import { AlertDialog } from "@base-ui/react/alert-dialog";
import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "@/lib/cx";
import { Button, IconButton } from "./Button";

const BACKDROP =
  "fixed inset-0 bg-scrim z-(--z-overlay) transition-opacity duration-(--duration-base) data-ending-style:opacity-0 data-starting-style:opacity-0";
const POPUP =
  "fixed left-1/2 top-1/2 -translate-x-1/2 -translate-y-1/2 z-(--z-dialog) max-h-[calc(100dvh-2rem)] overflow-y-auto bg-raised border border-line rounded-lg shadow-float p-6 transition-opacity duration-(--duration-base) ease-out data-ending-style:opacity-0 data-starting-style:opacity-0";
const TITLE = "font-read font-medium text-[1.1875rem] leading-[1.3] tracking-[-0.01em]";

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  children: ReactNode;
  /** `extra` takes what the window has, for a page within the page. */
  wide?: boolean | "extra";
}

export function Dialog({ open, onOpenChange, title, children, wide }: DialogProps) {
  const { t } = useTranslation();
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className={BACKDROP} />
        <Base.Popup
          className={cx(
            POPUP,
            wide === "extra"
              ? "w-[min(64rem,calc(100vw-1rem))] max-sm:p-4"
              : wide
                ? "w-[min(40rem,calc(100vw-2rem))]"
                : "w-[min(27.5rem,calc(100vw-2rem))]",
          )}
        >
          <div className="flex items-start justify-between gap-3">
            <Base.Title className={TITLE}>{title}</Base.Title>
            <Base.Close render={<IconButton size="sm" label={t("common.close")} icon={<X size={16} />} />} />
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

interface SplitDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  lead: ReactNode;
  /** What one fills in. */
  children: ReactNode;
  /** What follows from it. */
  aside: ReactNode;
  actions: ReactNode;
}

/** A large dialog: a form at the left, what comes of it at the right (below it on a narrow screen), actions at the foot. */
export function SplitDialog({ open, onOpenChange, title, lead, children, aside, actions }: SplitDialogProps) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className={BACKDROP} />
        <Base.Popup
          className={cx(
            POPUP.replace("p-6", "").replace("overflow-y-auto", "overflow-hidden"),
            "flex flex-col w-[min(56.25rem,calc(100vw-1rem))] max-sm:max-h-[calc(100dvh-1rem)]",
          )}
        >
          <header className="flex-none px-6 pt-5 pb-4 max-sm:px-4 max-sm:pt-4 border-b border-line">
            <Base.Title className={TITLE}>{title}</Base.Title>
            <Base.Description className="text-ink-2 text-md mt-1.5">{lead}</Base.Description>
          </header>
          <div className="grow min-h-0 overflow-y-auto grid grid-cols-2 max-md:grid-cols-1">
            <div className="min-w-0 px-6 py-5 max-sm:px-4">{children}</div>
            <div className="min-w-0 px-6 py-5 max-sm:px-4 bg-paper border-l border-line max-md:border-l-0 max-md:border-t">
              {aside}
            </div>
          </div>
          <footer className="flex-none flex flex-wrap items-center justify-end gap-2 px-6 py-3.5 max-sm:px-4 border-t border-line">
            {actions}
          </footer>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Names the thing: "Delete handbook.md?" */
  title: string;
  /** What is lost and what stays. */
  detail: ReactNode;
  /** The verb on the button. */
  action: string;
  busy?: string | false;
  onConfirm: () => void;
}

/** Asks before something is lost. The focus stands on the safe button. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  detail,
  action,
  busy,
  onConfirm,
}: ConfirmDialogProps) {
  const { t } = useTranslation();
  const keep = useRef<HTMLButtonElement>(null);
  return (
    <AlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={BACKDROP} />
        <AlertDialog.Popup className={cx(POPUP, "w-[min(27.5rem,calc(100vw-2rem))]")} initialFocus={keep}>
          <AlertDialog.Title className={TITLE}>{title}</AlertDialog.Title>
          <AlertDialog.Description className="text-ink-2 text-md mt-2">{detail}</AlertDialog.Description>
          <div className="flex justify-end gap-2 mt-6">
            <AlertDialog.Close render={<Button tone="quiet" ref={keep} />}>
              {t("common.keep")}
            </AlertDialog.Close>
            <Button tone="bad" busy={busy} onClick={onConfirm}>
              {action}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
