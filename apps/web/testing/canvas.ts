/** Excalidraw asks what a canvas can do when it is loaded; the DOM of tests has none. Import this before it. */
HTMLCanvasElement.prototype.getContext = (() => ({ filter: '' })) as never;
