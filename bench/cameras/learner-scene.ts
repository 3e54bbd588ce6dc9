/** Draws a learner at a desk at one moment, in seconds. */
export type DrawScene = (context: OffscreenCanvasRenderingContext2D, atSeconds: number) => void;

/**
 * What a camera sees of somebody who studies: a wall of books and a lamp that stand still, a head that
 * sways by a few pixels, breath, a hand that writes for seven seconds and rests for five, and the grain of
 * a cheap sensor. Runs in the page, so it uses nothing from outside.
 * @param width in pixels; the height is nine sixteenths.
 */
export function learnerScene(width: number): DrawScene {
  const height = (width * 9) / 16;
  // The same picture in each run: mulberry32.
  let state = 7;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const canvas = (w: number, h: number) => {
    const context = new OffscreenCanvas(w, h).getContext('2d');
    if (!context) throw new Error('no canvas');
    return context;
  };
  /** Lengths are given for a picture that is 640 pixels wide. */
  const unit = width / 640;

  const room = canvas(width, height);
  room.scale(unit, unit);
  const light = room.createRadialGradient(470, 90, 20, 420, 120, 520);
  light.addColorStop(0, '#f3e3c3');
  light.addColorStop(1, '#4a4038');
  room.fillStyle = light;
  room.fillRect(0, 0, 640, 360);
  for (let shelf = 0; shelf < 3; shelf += 1) {
    const floor = 90 + shelf * 95;
    for (let x = 4; x < 250; ) {
      const [thickness, tall] = [6 + random() * 14, 50 + random() * 32];
      room.fillStyle = `hsl(${random() * 360} ${20 + random() * 30}% ${22 + random() * 35}%)`;
      room.fillRect(x, floor - tall, thickness, tall);
      room.fillStyle = 'rgb(255 255 255 / 25%)';
      room.fillRect(x + thickness / 3, floor - tall * 0.8, thickness / 4, tall * 0.4);
      x += thickness + 1;
    }
    room.fillStyle = '#3a2c20';
    room.fillRect(0, floor, 254, 6);
  }
  room.fillStyle = '#7b5a3a';
  room.fillRect(0, 318, 640, 42);
  room.fillStyle = '#f4f1e8';
  room.fillRect(210, 312, 190, 22);

  const grains = Array.from({ length: 5 }, () => {
    const grain = canvas(256, 256);
    const pixels = grain.createImageData(256, 256);
    for (let at = 0; at < pixels.data.length; at += 4) {
      pixels.data.fill(random() < 0.5 ? 0 : 255, at, at + 3);
      pixels.data[at + 3] = random() * 9;
    }
    grain.putImageData(pixels, 0, 0);
    return grain.canvas;
  });

  const oval = (
    context: OffscreenCanvasRenderingContext2D,
    colour: string,
    [x, y, radiusX, radiusY]: readonly [number, number, number, number],
  ) => {
    context.fillStyle = colour;
    context.beginPath();
    context.ellipse(x, y, radiusX, radiusY, 0, 0, 2 * Math.PI);
    context.fill();
  };

  return (context, atSeconds) => {
    context.drawImage(room.canvas, 0, 0);
    context.save();
    context.scale(unit, unit);
    const sway = 4 * Math.sin(atSeconds * 0.7) + 3 * Math.sin(atSeconds * 0.31 + 1);
    const breath = 1.5 * Math.sin(atSeconds * 1.6);
    const [headX, headY] = [340 + sway, 165 + breath + 2 * Math.sin(atSeconds * 0.5)];
    oval(context, '#31506b', [338 + sway / 3, 345 + breath, 130, 105]);
    oval(context, '#c99a7c', [headX, headY + 58, 26, 40]);
    oval(context, '#2a211d', [headX, headY - 14, 66, 74]);
    oval(context, '#deb294', [headX, headY + 6, 54, 66]);
    const isBlinking = atSeconds % 3.7 < 0.15;
    for (const side of [-20, 20]) {
      oval(context, '#2a211d', [headX + side, headY, 6, isBlinking ? 1 : 4]);
    }
    oval(context, '#b5655a', [headX, headY + 38, 13, 3]);
    const isWriting = atSeconds % 12 < 7;
    const stroke = isWriting ? atSeconds : Math.floor(atSeconds / 12) * 12 + 7;
    const handX = 270 + ((stroke * 14) % 90);
    const handY = 318 + 4 * Math.sin(stroke * 9);
    oval(context, '#deb294', [handX, handY, 24, 15]);
    context.fillStyle = '#1d2b55';
    context.fillRect(handX - 10, handY - 28, 4, 30);
    context.restore();
    const grain = grains[Math.floor(random() * grains.length)];
    if (!grain) return;
    for (let x = -random() * 256; x < width; x += 256) {
      for (let y = -random() * 256; y < height; y += 256) context.drawImage(grain, x, y);
    }
  };
}
