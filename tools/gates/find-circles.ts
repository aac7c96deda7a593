/** The circles of a graph, each as the names along it with the first repeated at the end; mending all leaves none. */
export function findCircles(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const circles: string[][] = [];
  const done = new Set<string>();
  const visit = (name: string, trail: string[]): void => {
    const seenAt = trail.indexOf(name);
    if (seenAt !== -1) circles.push([...trail.slice(seenAt), name]);
    if (seenAt !== -1 || done.has(name)) return;
    for (const next of graph.get(name) ?? []) visit(next, [...trail, name]);
    done.add(name);
  };
  for (const name of graph.keys()) visit(name, []);
  return circles;
}
