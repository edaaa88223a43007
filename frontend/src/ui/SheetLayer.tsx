import { Drawer } from "@base-ui/react/drawer";
import type { ReactNode } from "react";
import { cx } from "@/lib/cx";

export interface SheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Read out when it opens. */
  title: string;
  side: "left" | "right" | "bottom";
  children: ReactNode;
}

const PLACES = {
  left: "inset-y-0 left-0 w-[min(304px,86vw)] data-starting-style:-translate-x-full data-ending-style:-translate-x-full translate-x-[var(--drawer-swipe-movement-x,0px)]",
  right:
    "inset-y-0 right-0 w-[min(400px,92vw)] border-l border-line data-starting-style:translate-x-full data-ending-style:translate-x-full translate-x-[var(--drawer-swipe-movement-x,0px)]",
  bottom:
    "inset-x-0 bottom-0 max-h-[92dvh] min-h-[50dvh] rounded-t-lg border-t border-line data-starting-style:translate-y-full data-ending-style:translate-y-full translate-y-[var(--drawer-swipe-movement-y,0px)]",
} as const;

const SWIPES = { left: "left", right: "right", bottom: "down" } as const;

/** A layer that slides in from an edge; a swipe towards the edge or Esc closes it. */
export function SheetLayer({ open, onOpenChange, title, side, children }: SheetProps) {
  return (
    <Drawer.Root open={open} onOpenChange={onOpenChange} swipeDirection={SWIPES[side]}>
      <Drawer.Portal>
        <Drawer.Backdrop className="fixed inset-0 bg-scrim z-(--z-overlay) transition-opacity duration-(--duration-slow) data-starting-style:opacity-0 data-ending-style:opacity-0" />
        <Drawer.Viewport className="fixed inset-0 z-(--z-overlay)">
          <Drawer.Popup
            className={cx(
              "fixed bg-desk shadow-float flex flex-col overflow-y-auto outline-none transition-transform duration-(--duration-slow) ease-out data-swiping:transition-none",
              PLACES[side],
            )}
          >
            <Drawer.Title className="sr-only">{title}</Drawer.Title>
            {side === "bottom" && (
              <span aria-hidden className="mx-auto mt-2 h-1 w-9 flex-none rounded-full bg-line-strong" />
            )}
            <Drawer.Content className="flex flex-col grow min-h-0">{children}</Drawer.Content>
          </Drawer.Popup>
        </Drawer.Viewport>
      </Drawer.Portal>
    </Drawer.Root>
  );
}
