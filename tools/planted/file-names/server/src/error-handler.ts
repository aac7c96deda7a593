export function handleErrors(): void {}
