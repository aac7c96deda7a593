const ZEROS = /^[0-]*$/;

/** Whether an id tells a device apart: systems that limit tracking give all of theirs none, an empty one, or zeros. */
export const isOwnId = (id: string | undefined): id is string => id !== undefined && !ZEROS.test(id);
