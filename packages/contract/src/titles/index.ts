export * from './catalogue.ts';
export * from './routes.ts';
export * from './title-icons.ts';
export * from './titles.ts';
