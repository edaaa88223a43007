import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement, ReactNode } from "react";

export function Tooltip({ trigger, children }: { trigger: ReactElement; children: ReactNode }) {
  return (
    <Base.Root>
      <Base.Trigger delay={400} render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} className="z-(--z-menu)">
          <Base.Popup className="max-w-[18rem] rounded-sm bg-ink text-paper text-xs px-2.5 py-1.5 shadow-float transition-opacity duration-(--duration-base) data-starting-style:opacity-0 data-ending-style:opacity-0">
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
