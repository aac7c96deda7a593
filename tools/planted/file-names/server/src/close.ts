export function openDoor(): void {}
