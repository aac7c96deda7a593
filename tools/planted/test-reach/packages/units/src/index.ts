export { twice } from "./twice.ts";
