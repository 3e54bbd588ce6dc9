/** No tile is larger (design §6). */
const MAX_WIDTH = 640;
/** The background is blurred in this size: a quarter of the width costs a sixteenth. */
const SMALLER = 4;
/** In pixels of the small picture: text in the background becomes unreadable. */
const BLUR_PX = 5;

/** Puts the unblurred person on top of the blurred picture, and closes the mask. */
export type BlurComposer = (frame: VideoFrame, person: ImageBitmap) => VideoFrame;

export function blurComposer(): BlurComposer {
  const picture = newContext();
  const background = newContext();
  return (frame, person) => {
    const { displayWidth, displayHeight, timestamp } = frame;
    const scale = Math.min(1, MAX_WIDTH / displayWidth);
    const width = resize(picture.canvas, displayWidth * scale, displayHeight * scale);
    const small = resize(background.canvas, width.width / SMALLER, width.height / SMALLER);
    // Beyond the edge there is nothing to blur with, so the picture is drawn a little larger.
    background.filter = `blur(${BLUR_PX}px)`;
    const over = 2 * BLUR_PX;
    background.drawImage(frame, -over, -over, small.width + 2 * over, small.height + 2 * over);
    picture.globalCompositeOperation = 'copy';
    picture.drawImage(person, 0, 0, width.width, width.height);
    person.close();
    picture.globalCompositeOperation = 'source-in';
    picture.drawImage(frame, 0, 0, width.width, width.height);
    picture.globalCompositeOperation = 'destination-over';
    picture.drawImage(background.canvas, 0, 0, width.width, width.height);
    return new VideoFrame(picture.canvas, { timestamp });
  };
}

function newContext(): OffscreenCanvasRenderingContext2D {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  if (context === null) throw new Error('there is no canvas');
  return context;
}

/** Resizes the canvas only on a change, because that clears it. */
function resize(canvas: OffscreenCanvas, width: number, height: number): OffscreenCanvas {
  const [wide, high] = [Math.round(width), Math.round(height)];
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
  return canvas;
}
