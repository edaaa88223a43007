import { followRefusal, pageHeaders } from "./client";
import { ApiError, NetworkError } from "./errors";
import { reportReachable } from "./reachability";
import type { Problem, UploadOutcome } from "./types";

interface UploadFile {
  file: File;
  /** The name that the server keeps, with the folders that were dropped. */
  path: string;
}

/**
 * Sends files in one request. XMLHttpRequest, because fetch tells nothing about how much was sent.
 * Throws ApiError, NetworkError, or AbortError when `signal` fires.
 */
export function uploadFiles(
  files: readonly UploadFile[],
  onSent: (bytes: number) => void,
  signal: AbortSignal,
): Promise<UploadOutcome> {
  const form = new FormData();
  for (const { file, path } of files) form.append("files", file, path);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open("POST", "/api/sources/uploads");
    request.responseType = "json";
    for (const [name, value] of Object.entries(pageHeaders())) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", (event) => onSent(event.loaded));
    request.addEventListener("loadend", () => signal.removeEventListener("abort", abort));
    request.addEventListener("load", () => {
      reportReachable(true);
      if (request.status < 300) return resolve(request.response as UploadOutcome);
      const error = new ApiError(request.status, (request.response ?? {}) as Partial<Problem>);
      followRefusal(error);
      return reject(error);
    });
    request.addEventListener("error", () => {
      reportReachable(navigator.onLine);
      reject(new NetworkError("The files could not be sent."));
    });
    request.addEventListener("abort", () => reject(new DOMException("Stopped", "AbortError")));
    signal.addEventListener("abort", abort);
    request.send(form);
  });
}
