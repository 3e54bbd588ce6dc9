/** The font of the product's own texts (build/ui-font.ts). */
declare module 'virtual:ui-font.css';
