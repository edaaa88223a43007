import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { startI18n } from "@/i18n/i18n";
import { Toasts } from "@/ui/Toast";
import { createQueryClient } from "./routes/queryClient";
import { createAppRouter } from "./routes/router";
import "./styles/index.css";

const queryClient = createQueryClient();
const router = createAppRouter(queryClient);
const root = document.getElementById("root");

if (root) {
  await startI18n();
  createRoot(root).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <Toasts />
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  );
}
