export function openFile(): void {}
