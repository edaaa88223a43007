import { createContext, type ReactNode, useContext, useMemo, useRef, useState } from "react";
import { useDropzone } from "react-dropzone";
import { useTranslation } from "react-i18next";
import { DropOverlay } from "./DropOverlay";
import { UploadPanel } from "./UploadPanel";
import { useUploadQueue } from "./useUploadQueue";

interface Uploads {
  mayUpload: boolean;
  chooseFiles: () => void;
  chooseFolder: () => void;
}

const UploadContext = createContext<Uploads>({
  mayUpload: false,
  chooseFiles: () => {},
  chooseFolder: () => {},
});

/** The ways to add files from anywhere in the app. */
export function useUploads(): Uploads {
  return useContext(UploadContext);
}

interface UploadProviderProps {
  workspaceName: string | null;
  mayUpload: boolean;
  children: ReactNode;
}

/** Takes files dropped anywhere in the window, sends them and shows how each comes along. */
export function UploadProvider({ workspaceName, mayUpload, children }: UploadProviderProps) {
  const { t } = useTranslation();
  const queue = useUploadQueue();
  const [held, setHeld] = useState(0);
  const folderInput = useRef<HTMLInputElement>(null);
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    onDrop: (files) => queue.add(files),
    onDragEnter: (event) => setHeld("dataTransfer" in event ? event.dataTransfer.items.length : 0),
    noClick: true,
    noKeyboard: true,
    disabled: !mayUpload,
  });
  const uploads = useMemo<Uploads>(
    () => ({ mayUpload, chooseFiles: open, chooseFolder: () => folderInput.current?.click() }),
    [mayUpload, open],
  );
  return (
    <UploadContext value={uploads}>
      <div {...getRootProps({ role: undefined, tabIndex: undefined, className: "contents" })}>
        <input {...getInputProps({ "aria-label": t("sources.uploadFiles") })} />
        <input
          ref={folderInput}
          type="file"
          hidden
          aria-label={t("sources.uploadFolder")}
          {...{ webkitdirectory: "" }}
          onChange={(event) => {
            queue.add([...(event.target.files ?? [])]);
            event.target.value = "";
          }}
        />
        {children}
        {isDragActive && <DropOverlay count={held} workspaceName={workspaceName ?? ""} />}
        <UploadPanel queue={queue} />
      </div>
    </UploadContext>
  );
}
