export const place = "/home/somebody/project";
