import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";

interface TabsProps {
  value: string;
  onChange: (value: string) => void;
  label: string;
  tabs: { value: string; label: ReactNode; count?: number; panel: ReactNode }[];
}

export function Tabs({ value, onChange, label, tabs }: TabsProps) {
  return (
    <Base.Root
      value={value}
      onValueChange={(chosen: string) => onChange(chosen)}
      className="flex flex-col min-h-0 grow"
    >
      <Base.List
        aria-label={label}
        className="flex flex-none gap-5 max-sm:gap-3.5 px-4 border-b border-line overflow-x-auto overflow-y-hidden whitespace-nowrap"
      >
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="flex items-center gap-1.5 pt-2.5 pb-[9px] -mb-px border-b-2 border-transparent font-medium text-ink-2 data-active:text-ink data-active:border-accent"
          >
            {tab.label}
            {tab.count !== undefined && <span className="text-2xs text-ink-3 tabular-nums">{tab.count}</span>}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel
          key={tab.value}
          value={tab.value}
          className="grow min-h-0 overflow-y-auto outline-offset-[-2px]"
        >
          {tab.panel}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
