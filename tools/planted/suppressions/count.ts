// oxlint-disable-next-line no-console
console.log(1);
// oxlint-disable-next-line no-console -- the command prints its answer
console.log(2);
// @ts-expect-error
export const three: number = "3";
