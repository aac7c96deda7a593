/** A gizmo for each line of a paid lunch, and gizmology is another word. */
export const cardGizmo = "gizmology";
export interface PaidLunchRow {
  id: string;
}
