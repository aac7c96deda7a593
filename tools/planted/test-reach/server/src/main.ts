void import("./start.ts");
