import { PreviewCard } from "@base-ui/react/preview-card";
import type { ReactElement, ReactNode } from "react";

interface HoverCardProps {
  /** A link: the card opens when the pointer rests on it or it has the focus, and stays while the pointer is inside. */
  trigger: ReactElement;
  children: ReactNode;
}

export function HoverCard({ trigger, children }: HoverCardProps) {
  return (
    <PreviewCard.Root>
      <PreviewCard.Trigger delay={250} render={trigger} />
      <PreviewCard.Portal>
        <PreviewCard.Positioner sideOffset={8} className="z-(--z-menu)">
          <PreviewCard.Popup className="w-[348px] max-w-[calc(100vw-2rem)] bg-raised border border-line-strong rounded-md shadow-float p-3.5 text-sm transition-[opacity,translate] duration-(--duration-base) ease-out data-starting-style:opacity-0 data-starting-style:translate-y-1 data-ending-style:opacity-0">
            {children}
          </PreviewCard.Popup>
        </PreviewCard.Positioner>
      </PreviewCard.Portal>
    </PreviewCard.Root>
  );
}
