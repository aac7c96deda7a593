export async function count(): Promise<number> {
  return Promise.resolve(3);
}

export function forget(): void {
  count();
}

export function show(value: any): void {
  console.log(value);
}

export function colour(status: "live" | "frozen"): string {
  switch (status) {
    case "live":
      return "green";
  }
  return "";
}
