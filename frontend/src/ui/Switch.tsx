import { Switch as Base } from "@base-ui/react/switch";

interface SwitchProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function Switch({ label, checked, onChange }: SwitchProps) {
  return (
    <Base.Root
      aria-label={label}
      checked={checked}
      onCheckedChange={onChange}
      className="relative inline-block w-8 h-[19px] rounded-full bg-line-control data-checked:bg-accent flex-none"
    >
      <Base.Thumb className="absolute top-[2.5px] left-[3px] size-3.5 rounded-full bg-raised transition-[left] duration-(--duration-fast) data-checked:left-[15px] data-checked:bg-on-accent" />
    </Base.Root>
  );
}
