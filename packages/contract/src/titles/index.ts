export * from './title-icons.ts';
export * from './titles.ts';
