import { createContext } from "react";

/** Whether who looks at the settings may change them. */
export const EditableContext = createContext(true);
