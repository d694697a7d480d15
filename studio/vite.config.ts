import { defineConfig } from "vite";

/** Where `npm run dev` finds a running `throng studio`. */
const server = process.env["THRONG_SERVER"] ?? "http://127.0.0.1:8730";

export default defineConfig({
  // The server may sit behind any path, so nothing in the page is absolute.
  base: "./",
  build: { target: "es2022", chunkSizeWarningLimit: 1500, assetsInlineLimit: 0 },
  server: {
    proxy: {
      // The server refuses other origins; the proxy speaks to it as its own page would.
      "/ws": {
        target: server,
        ws: true,
        changeOrigin: true,
        configure: (proxy) => {
          proxy.on("proxyReqWs", (request) => request.setHeader("origin", server));
        },
      },
    },
  },
});
