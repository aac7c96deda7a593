import "@fontsource-variable/inter/index.css";
import "./ui/theme/mantine-styles.ts";
import "./ui/theme/tokens.css";
import "./ui/theme/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { z } from "zod";
import { App } from "./app/app.tsx";

// Its faster way compiles code at run time, which the page's policy forbids.
z.config({ jitless: true });

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
