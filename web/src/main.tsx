import "@fontsource-variable/inter/index.css";
import "./ui/theme/base.css";
import "./ui/theme/mantine-styles.ts";
import "./ui/theme/tokens.css";
import "./ui/theme/print.css";
import "./app/first-frame.css";
import { StrictMode } from "react";
import { preload } from "react-dom";
import { createRoot } from "react-dom/client";
import { z } from "zod";
import latinLetters from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";
import { App } from "./app/app.tsx";
import { printInLight } from "./ui/theme/printing.ts";

// Zod's JIT compiles code at run time, which the page's policy forbids.
z.config({ jitless: true });

// Before the first calls, which would occupy all of the browser's connections.
preload(latinLetters, { as: "font", type: "font/woff2", crossOrigin: "" });

printInLight();

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
