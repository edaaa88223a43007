import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const api = process.env["KS_API_ORIGIN"] ?? "http://127.0.0.1:8400";

export default defineConfig({
  plugins: [react(), tailwindcss()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  server: {
    host: "127.0.0.1",
    port: 5173,
    // The API accepts unsafe methods from its own origin only, so the proxy speaks for it.
    proxy: { "/api": { target: api, changeOrigin: true, headers: { origin: api } } },
  },
  build: {
    target: "es2022",
    // light-dark() stays as it is written: these are the first versions that know it.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // A data: font or script would need a wider content policy than 'self'.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
