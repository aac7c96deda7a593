export { clearDemo } from "./clear-demo.ts";
export { sampleFigures } from "./sample-app.ts";
export { startLab } from "./lab/start-lab.ts";
export type { Lab, LabOptions } from "./lab/start-lab.ts";
export { startDemo } from "./start-demo.ts";
export type { Demo, DemoOptions } from "./start-demo.ts";
export type { DemoLogin } from "./seed-demo.ts";
export { DEMO_ADDRESS_HEADER, DEMO_KEY_HEADER } from "./traffic/sdk-client.ts";
export { withVisitorCountry } from "./visitor-country.ts";
