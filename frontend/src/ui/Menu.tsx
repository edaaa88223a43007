import { cloneElement, lazy, Suspense, use, useState } from "react";
import { type MenuChoiceProps, type MenuItemProps, MenuParts, type MenuProps } from "./menuParts";

const load = () => import("./MenuLayer");
const MenuLayer = lazy(() => load().then((module) => ({ default: module.MenuLayer })));

/** A button that opens a menu. What draws the menu is fetched when the pointer comes near or the first one opens. */
export function Menu(props: MenuProps) {
  const [opened, setOpened] = useState(false);
  const closed = cloneElement(props.trigger, {
    onClick: () => setOpened(true),
    onPointerEnter: () => void load(),
    "aria-haspopup": "menu",
    "aria-expanded": false,
  });
  if (!opened) return closed;
  return (
    <Suspense fallback={closed}>
      <MenuLayer {...props} />
    </Suspense>
  );
}

export function MenuItem(props: MenuItemProps) {
  const parts = use(MenuParts);
  return parts && <parts.Item {...props} />;
}

/** One of several, with a check beside the chosen one. */
export function MenuChoice(props: MenuChoiceProps) {
  const parts = use(MenuParts);
  return parts && <parts.Choice {...props} />;
}

export function MenuLine() {
  const parts = use(MenuParts);
  return parts && <parts.Line />;
}
