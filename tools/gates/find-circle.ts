/** The first circle of a graph as the names along it, its first name repeated at the end; null where there is none. */
export function findCircle(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] | null {
  const done = new Set<string>();
  const visit = (name: string, trail: string[]): string[] | null => {
    const seenAt = trail.indexOf(name);
    if (seenAt !== -1) return [...trail.slice(seenAt), name];
    if (done.has(name)) return null;
    for (const next of graph.get(name) ?? []) {
      const circle = visit(next, [...trail, name]);
      if (circle) return circle;
    }
    done.add(name);
    return null;
  };
  for (const name of graph.keys()) {
    const circle = visit(name, []);
    if (circle) return circle;
  }
  return null;
}
