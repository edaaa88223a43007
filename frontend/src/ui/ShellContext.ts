import { createContext, useContext, useEffect } from "react";

interface Shell {
  openMenu: () => void;
  /** The sidebar folds to icons on middle-wide screens while a rail is open beside the page. */
  setRailOpen: (open: boolean) => void;
}

export const ShellContext = createContext<Shell>({ openMenu: () => {}, setRailOpen: () => {} });

export function useShell(): Shell {
  return useContext(ShellContext);
}

/** Tells the shell that a rail stands beside the page. */
export function useRail(open: boolean): void {
  const { setRailOpen } = useShell();
  useEffect(() => {
    setRailOpen(open);
    return () => setRailOpen(false);
  }, [open, setRailOpen]);
}
