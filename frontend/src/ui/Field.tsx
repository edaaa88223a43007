import { ChevronsUpDown, CircleAlert } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";
import { cx } from "@/lib/cx";

const INPUT =
  "px-[11px] border rounded-sm bg-raised text-md w-full min-w-0 placeholder:text-ink-3 disabled:border-line disabled:bg-sunken disabled:text-ink-off";
const LINE = "h-(--control-md) max-sm:h-11";

interface FieldParts {
  label: ReactNode;
  help?: ReactNode;
  /** Replaces the help and names the cure. */
  error?: string | null | undefined;
  hideLabel?: boolean | undefined;
  /** Of the field with its label. */
  className?: string | undefined;
}

interface ControlProps {
  id: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
  className: string;
}

function Labelled({
  label,
  help,
  error,
  hideLabel,
  className,
  children,
}: FieldParts & { children: (control: ControlProps) => ReactNode }) {
  const id = useId();
  const note = error || help;
  return (
    <div className={cx("flex flex-col gap-1.5 min-w-0", className)}>
      <label htmlFor={id} className={hideLabel ? "sr-only" : "font-medium"}>
        {label}
      </label>
      {children({
        id,
        "aria-invalid": error ? true : undefined,
        "aria-describedby": note ? `${id}-note` : undefined,
        className: cx(INPUT, error ? "border-bad" : "border-line-control"),
      })}
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

/** A line to type in, with its label above and help or the cure of an error below. */
export function Field({
  label,
  help,
  error,
  hideLabel,
  className,
  ...input
}: FieldParts & ComponentProps<"input">) {
  return (
    <Labelled {...{ label, help, error, hideLabel, className }}>
      {(control) => <input {...input} {...control} className={cx(control.className, LINE)} />}
    </Labelled>
  );
}

/** Several lines to type in. */
export function TextField({
  label,
  help,
  error,
  hideLabel,
  className,
  mono,
  ...input
}: FieldParts & ComponentProps<"textarea"> & { mono?: boolean }) {
  return (
    <Labelled {...{ label, help, error, hideLabel, className }}>
      {(control) => (
        <textarea
          rows={2}
          {...input}
          {...control}
          className={cx(control.className, "py-2 leading-[1.4] resize-y", mono && "font-mono text-xs")}
        />
      )}
    </Labelled>
  );
}

interface SelectFieldProps<Value extends string> extends FieldParts {
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
}

/** One of a few. */
export function SelectField<Value extends string>({
  value,
  options,
  onChange,
  ...parts
}: SelectFieldProps<Value>) {
  return (
    <Labelled {...parts}>
      {(control) => (
        <span className="relative block">
          <select
            value={value}
            onChange={(event) => onChange(event.target.value as Value)}
            {...control}
            className={cx(control.className, LINE, "appearance-none pr-8 text-ellipsis")}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronsUpDown
            size={14}
            aria-hidden
            className="absolute right-2.5 top-1/2 -translate-y-1/2 text-ink-3 pointer-events-none"
          />
        </span>
      )}
    </Labelled>
  );
}
