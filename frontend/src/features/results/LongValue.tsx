import { Dialog } from "@/ui/Dialog";

export interface LongValueShown {
  /** The name of its column. */
  name: string;
  value: string;
}

/** One value that is too long for its cell, whole and as it was written. */
export function LongValue({ shown, onClose }: { shown: LongValueShown; onClose: () => void }) {
  return (
    <Dialog open onOpenChange={onClose} title={shown.name} wide>
      <pre className="mt-3 max-h-[60dvh] overflow-auto whitespace-pre-wrap break-words font-mono text-xs">
        {shown.value}
      </pre>
    </Dialog>
  );
}
