/** In place of Excalidraw's texts in languages that the product lacks (see build/excalidraw.ts). */
export {};
