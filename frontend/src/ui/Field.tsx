import { CircleAlert } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";
import { cx } from "@/lib/cx";

const INPUT =
  "h-(--control-md) max-sm:h-11 px-[11px] border rounded-sm bg-raised text-md w-full min-w-0 placeholder:text-ink-3 disabled:border-line disabled:bg-sunken disabled:text-ink-off";

interface FieldProps extends ComponentProps<"input"> {
  label: ReactNode;
  help?: ReactNode;
  /** Replaces the help and names the cure. */
  error?: string | null | undefined;
  hideLabel?: boolean;
}

export function Field({ label, help, error, hideLabel, className, ...input }: FieldProps) {
  const id = useId();
  const note = error || help;
  return (
    <div className={cx("flex flex-col gap-1.5", className)}>
      <label htmlFor={id} className={hideLabel ? "sr-only" : "font-medium"}>
        {label}
      </label>
      <input
        id={id}
        {...input}
        aria-invalid={error ? true : undefined}
        aria-describedby={note ? `${id}-note` : undefined}
        className={cx(INPUT, error ? "border-bad" : "border-line-control")}
      />
      {note && (
        <small
          id={`${id}-note`}
          className={cx("text-xs flex items-center gap-1.5", error ? "text-bad" : "text-ink-3")}
        >
          {error && <CircleAlert size={14} aria-hidden />}
          {note}
        </small>
      )}
    </div>
  );
}
