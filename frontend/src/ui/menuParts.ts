import { type ComponentType, createContext, type ReactElement, type ReactNode } from "react";

export interface MenuProps {
  trigger: ReactElement<TriggerProps>;
  children: ReactNode;
  align?: "start" | "center" | "end";
  side?: "top" | "bottom";
  wide?: boolean;
}

interface TriggerProps {
  onClick?: () => void;
  onPointerEnter?: () => void;
  "aria-haspopup"?: "menu";
  "aria-expanded"?: boolean;
}

export interface MenuItemProps {
  icon?: ReactNode;
  children: ReactNode;
  onClick: () => void;
  tone?: "plain" | "bad";
  disabled?: boolean;
  /** Shown at the right end: a key or a count. */
  end?: ReactNode;
}

export interface MenuChoiceProps {
  value: string;
  options: { value: string; label: ReactNode; detail?: ReactNode; disabled?: boolean }[];
  onChange: (value: string) => void;
}

interface Parts {
  Item: ComponentType<MenuItemProps>;
  Choice: ComponentType<MenuChoiceProps>;
  Line: ComponentType;
}

/** The parts of an open menu: they come with its layer, which a closed menu does without. */
export const MenuParts = createContext<Parts | null>(null);
