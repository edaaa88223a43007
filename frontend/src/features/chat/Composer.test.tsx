import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it, vi } from "vitest";
import { Composer } from "./Composer";

interface PageProps {
  onSend: (question: string) => void;
  onStop: (() => void) | undefined;
}

function Page({ onSend, onStop }: PageProps) {
  const [value, setValue] = useState("");
  return (
    <Composer
      value={value}
      onChange={setValue}
      onSend={() => onSend(value)}
      onStop={onStop}
      placeholder="Ask"
      scope={null}
      model={null}
    />
  );
}

function setUp({ onStop }: { onStop?: () => void } = {}) {
  const onSend = vi.fn();
  render(<Page onSend={onSend} onStop={onStop} />);
  return { onSend, box: screen.getByRole("textbox", { name: "Your question" }), user: userEvent.setup() };
}

describe("the composer", () => {
  it("asks with Enter and with Ctrl+Enter, and begins a line with Shift+Enter", async () => {
    const { onSend, box, user } = setUp();
    await user.type(box, "One{Shift>}{Enter}{/Shift}two{Enter}");
    expect(onSend).toHaveBeenLastCalledWith("One\ntwo");
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(onSend).toHaveBeenCalledTimes(2);
  });

  it("asks nothing where nothing is written", async () => {
    const { onSend, box, user } = setUp();
    await user.type(box, "  {Enter}");
    expect(onSend).not.toHaveBeenCalled();
    expect(screen.getByRole("button", { name: "Ask" })).toBeDisabled();
  });

  it("leaves Enter to an input method that is composing a word", async () => {
    const { onSend, box, user } = setUp();
    await user.type(box, "にほん");
    box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, isComposing: true }));
    expect(onSend).not.toHaveBeenCalled();
  });

  it("stops a running answer by its button and keeps what is typed meanwhile", async () => {
    const onStop = vi.fn();
    const { onSend, box, user } = setUp({ onStop });
    await user.type(box, "Next{Enter}");
    expect(onSend).not.toHaveBeenCalled();
    expect(box).toHaveValue("Next");
    await user.click(screen.getByRole("button", { name: "Stop" }));
    expect(onStop).toHaveBeenCalledOnce();
  });
});
