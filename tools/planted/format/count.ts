export const count   = {three:3}
