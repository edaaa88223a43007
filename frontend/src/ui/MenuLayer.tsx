import { Menu as Base } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import { cx } from "@/lib/cx";
import { type MenuChoiceProps, type MenuItemProps, MenuParts, type MenuProps } from "./menuParts";

const ITEM =
  "flex items-center gap-[9px] min-h-8 max-sm:min-h-11 px-[9px] rounded-sm text-sm outline-none data-highlighted:bg-hover data-disabled:text-ink-off [&_svg]:text-ink-3 cursor-pointer";

/** The open menu with everything it needs; fetched when a menu is first opened. */
export function MenuLayer({ trigger, children, align = "end", side = "bottom", wide }: MenuProps) {
  return (
    <Base.Root defaultOpen>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} side={side} sideOffset={6} className="z-(--z-menu) outline-none">
          <Base.Popup
            className={cx(
              "bg-raised border border-line-strong rounded-md shadow-float p-[5px] max-h-[min(26rem,var(--available-height))] overflow-y-auto outline-none",
              "transition-[opacity,translate] duration-(--duration-base) ease-out data-starting-style:opacity-0 data-starting-style:translate-y-1 data-ending-style:opacity-0",
              wide ? "w-[18rem]" : "w-[14.5rem]",
            )}
          >
            <MenuParts value={{ Item, Choice, Line }}>{children}</MenuParts>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function Item({ icon, children, onClick, tone = "plain", disabled, end }: MenuItemProps) {
  return (
    <Base.Item
      disabled={disabled ?? false}
      onClick={onClick}
      className={cx(ITEM, tone === "bad" && "text-bad [&_svg]:text-bad")}
    >
      {icon}
      <span className="grow min-w-0 truncate">{children}</span>
      {end}
    </Base.Item>
  );
}

function Choice({ value, options, onChange }: MenuChoiceProps) {
  return (
    <Base.RadioGroup value={value} onValueChange={(chosen: string) => onChange(chosen)}>
      {options.map((option) => (
        <Base.RadioItem
          key={option.value}
          value={option.value}
          disabled={option.disabled ?? false}
          closeOnClick
          className={cx(ITEM, Boolean(option.detail) && "py-1.5")}
        >
          <span className="grow min-w-0">
            <span className="block truncate">{option.label}</span>
            {option.detail && <span className="block text-xs text-ink-3">{option.detail}</span>}
          </span>
          <Base.RadioItemIndicator>
            <Check size={16} aria-hidden />
          </Base.RadioItemIndicator>
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  );
}

function Line() {
  return <Base.Separator className="border-t border-line my-[5px]" />;
}
