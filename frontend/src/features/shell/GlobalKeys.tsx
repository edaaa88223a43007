import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { useShortcut } from "@/ui/hooks";

const loadPalette = () => import("./CommandPalette");
const CommandPalette = lazy(() => loadPalette().then((module) => ({ default: module.CommandPalette })));
const SETTLED_MS = 2000;
const KeysDialog = lazy(() => import("./KeysDialog").then((module) => ({ default: module.KeysDialog })));

/** The keys that work on every page, and the layers that they open. */
export function GlobalKeys({ onUpload }: { onUpload: () => void }) {
  const navigate = useNavigate();
  const [layer, setLayer] = useState<"palette" | "keys" | null>(null);
  const [used, setUsed] = useState(false);
  const show = (which: "palette" | "keys") => {
    setUsed(true);
    setLayer(which);
  };
  // Fetched once the page has settled: who opens it types at once, and no letter may be lost.
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette(), SETTLED_MS);
    return () => clearTimeout(timer);
  }, []);
  useShortcut("k", () => show("palette"), { withCommand: true });
  useShortcut("?", () => show("keys"));
  useShortcut("/", () => void navigate({ to: "/search" }));
  useShortcut("n", () => void navigate({ to: "/" }));
  if (!used) return null;
  return (
    <Suspense>
      <CommandPalette
        open={layer === "palette"}
        onOpenChange={(open) => setLayer(open ? "palette" : null)}
        onShowKeys={() => show("keys")}
        onUpload={onUpload}
      />
      <KeysDialog open={layer === "keys"} onOpenChange={(open) => setLayer(open ? "keys" : null)} />
    </Suspense>
  );
}
