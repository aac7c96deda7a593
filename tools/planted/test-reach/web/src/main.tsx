import { App } from "./app.ts";

document.title = App;
