export const apiEntry: string;
export const apiNodeOptions: readonly string[];
