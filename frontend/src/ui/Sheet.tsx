import { lazy, Suspense, useState } from "react";
import type { SheetProps } from "./SheetLayer";

const SheetLayer = lazy(() => import("./SheetLayer").then((module) => ({ default: module.SheetLayer })));

/** A layer that slides in from an edge; what draws it is fetched when the first one opens. */
export function Sheet(props: SheetProps) {
  const [wanted, setWanted] = useState(props.open);
  if (props.open && !wanted) setWanted(true);
  if (!wanted) return null;
  return (
    <Suspense>
      <SheetLayer {...props} />
    </Suspense>
  );
}
