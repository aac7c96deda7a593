declare module "*.css";

/** The index that VitePress builds: one module for each language, loaded when it is asked for. */
declare module "@localSearchIndex" {
  const index: Record<string, () => Promise<{ default: string }>>;
  export default index;
}
