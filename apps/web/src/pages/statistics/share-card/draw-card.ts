/** The content of a card, and all the personal data on it. */
export interface CardContent {
  readonly brand: string;
  readonly date: string;
  /** The label of the large figure. */
  readonly heading: string;
  readonly focus: string;
  /** Below it, side by side. */
  readonly figures: readonly CardFigure[];
}

export interface CardFigure {
  readonly name: string;
  readonly value: string;
  /** Drawn below: a bar for the reached part of a goal (0 to 1), or one lamp a day. */
  readonly share?: number;
  readonly days?: readonly boolean[];
}

export const CARD_THEMES = ['dark', 'light'] as const;
export type CardTheme = (typeof CARD_THEMES)[number];

/** Pixels: the tall format of picture feeds. */
export const CARD_SIZE = { width: 1080, height: 1350 } as const;

const MARGIN = 88;
const INNER = CARD_SIZE.width - 2 * MARGIN;
const SCENE = { x: MARGIN, y: 188, width: INNER, height: 584, radius: 48 } as const;
/** Right of the brand. */
const DATE = { x: MARGIN + 396, width: INNER - 396 } as const;
const FIGURES_Y = 1136;
const GAP = 64;

const COLOURS = ['ground', 'ink', 'ink-soft', 'line', 'lamp', 'lamp-ink'] as const;
type Colours = Readonly<Record<(typeof COLOURS)[number], string>>;

/**
 * Draws a card as a PNG, in the fonts and colours of the page. Requests nothing but the font ranges that a
 * nickname needs.
 * @param desk the drawing of a desk on the page.
 * @throws Error when the browser gives no picture.
 */
export async function drawCard(
  content: CardContent,
  theme: CardTheme,
  desk: SVGSVGElement,
): Promise<Blob> {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, CARD_SIZE);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('the browser draws no pictures');
  const { fontFamily } = getComputedStyle(document.body);
  const pen = new Pen(context, fontFamily, coloursOf(theme));
  const texts = JSON.stringify(content);
  const weights = [500, 700, 800];
  await Promise.all(weights.map((weight) => document.fonts.load(pen.font(weight, 40), texts)));
  pen.fillRect('ground', { x: 0, y: 0, ...CARD_SIZE });
  pen.brand(content.brand);
  pen.text(content.date, { ...DATE, y: 128, size: 36, colour: 'ink-soft', align: 'right' });
  context.save();
  context.beginPath();
  context.roundRect(SCENE.x, SCENE.y, SCENE.width, SCENE.height, SCENE.radius);
  context.clip();
  const scene = await imageOf(desk);
  // The drawing is 4 by 3: its upper edge, a wall, is cut.
  const height = (SCENE.width * 3) / 4;
  context.drawImage(scene, SCENE.x, SCENE.y + SCENE.height - height, SCENE.width, height);
  context.restore();
  pen.text(content.heading, { y: 848, size: 44, weight: 500, colour: 'ink-soft' });
  pen.text(content.focus, { y: 998, size: 152, weight: 800 });
  pen.fillRect('line', { x: MARGIN, y: 1062, width: INNER, height: 2 });
  const width = (INNER - GAP * (content.figures.length - 1)) / content.figures.length;
  content.figures.forEach((figure, index) => {
    pen.figure(figure, { x: MARGIN + index * (width + GAP), width });
  });
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png');
  });
}

/** The current colours of a theme on the page. */
function coloursOf(theme: CardTheme): Colours {
  const probe = document.createElement('span');
  probe.dataset.theme = theme;
  probe.hidden = true;
  document.body.append(probe);
  const resolved = COLOURS.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(resolved) as Colours;
}

/** Styles that the drawing inherits from the page and would lose as a picture. */
const STYLES = [
  'fill',
  'fill-opacity',
  'opacity',
  'stroke',
  'stroke-width',
  'stroke-linecap',
  'stroke-linejoin',
] as const;

/** A drawing of the page as a separate picture. */
async function imageOf(drawing: SVGSVGElement): Promise<HTMLImageElement> {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = [drawing, ...drawing.querySelectorAll('*')];
  const copies = [copy, ...copy.querySelectorAll('*')];
  originals.forEach((original, index) => {
    const style = getComputedStyle(original);
    for (const name of STYLES) copies[index]?.setAttribute(name, style.getPropertyValue(name));
    copies[index]?.removeAttribute('class');
  });
  const { width, height } = drawing.viewBox.baseVal;
  copy.setAttribute('width', `${width}`);
  copy.setAttribute('height', `${height}`);
  const text = new XMLSerializer().serializeToString(copy);
  const address = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  const image = new Image();
  image.src = address;
  try {
    await image.decode();
  } finally {
    URL.revokeObjectURL(address);
  }
  return image;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface TextLook {
  /** Of the text's baseline. */
  readonly y: number;
  readonly size: number;
  readonly weight?: number;
  readonly colour?: keyof Colours;
  readonly align?: 'left' | 'right';
  readonly x?: number;
  readonly width?: number;
}

/** Draws parts of a card on a canvas. */
class Pen {
  readonly #context: CanvasRenderingContext2D;
  readonly #family: string;
  readonly #colours: Colours;

  constructor(context: CanvasRenderingContext2D, family: string, colours: Colours) {
    this.#context = context;
    this.#family = family;
    this.#colours = colours;
  }

  font(weight: number, size: number): string {
    return `${weight} ${size}px ${this.#family}`;
  }

  fillRect(colour: keyof Colours, { x, y, width, height }: Box): void {
    this.#context.fillStyle = this.#colours[colour];
    this.#context.fillRect(x, y, width, height);
  }

  /** A line of text; a text too long for its place is made smaller. */
  text(text: string, look: TextLook): void {
    const { y, size, weight = 500, colour = 'ink', align = 'left' } = look;
    const { x = MARGIN, width = INNER } = look;
    const context = this.#context;
    context.font = this.font(weight, size);
    const wide = context.measureText(text).width;
    if (wide > width) context.font = this.font(weight, Math.floor((size * width) / wide));
    context.fillStyle = this.#colours[colour];
    context.textAlign = align;
    context.fillText(text, align === 'right' ? x + width : x, y);
  }

  /** The mark of shared/ui/logo.tsx, 72 pixels high, and the name. */
  brand(name: string): void {
    const context = this.#context;
    context.save();
    context.translate(MARGIN - 14, 76);
    context.scale(2.25, 2.25);
    context.strokeStyle = this.#colours.ink;
    context.fillStyle = this.#colours.ink;
    context.lineCap = 'round';
    context.lineWidth = 2.4;
    context.stroke(new Path2D('M16 1v4'));
    context.fill(new Path2D('M12 4.6h8l4.2 6.8H7.8z'));
    context.lineJoin = 'round';
    context.lineWidth = 3;
    context.stroke(new Path2D('M6 18.5h20v11.7H6z'));
    context.fillStyle = this.#colours.lamp;
    context.fill(new Path2D('M12 12.8h8a4 4 0 0 1-8 0z'));
    context.restore();
    this.text(name, { x: MARGIN + 76, y: 128, size: 48, weight: 800, width: 320 });
  }

  figure({ name, value, share, days }: CardFigure, { x, width }: Pick<Box, 'x' | 'width'>): void {
    this.text(name, { x, width, y: FIGURES_Y, size: 36, colour: 'ink-soft' });
    this.text(value, { x, width, y: FIGURES_Y + 72, size: 60, weight: 700 });
    const y = FIGURES_Y + 104;
    if (share !== undefined) {
      this.#pill('line', { x, y, width, height: 20 });
      if (share > 0) this.#pill('lamp', { x, y, width: Math.max(20, share * width), height: 20 });
    }
    const size = 36;
    const step = (width - size) / 6;
    days?.forEach((isLit, index) => {
      this.#pill(isLit ? 'lamp' : 'line', { x: x + index * step, y, width: size, height: size });
    });
  }

  #pill(colour: keyof Colours, { x, y, width, height }: Box): void {
    const context = this.#context;
    context.beginPath();
    context.roundRect(x, y, width, height, height / 2);
    context.fillStyle = this.#colours[colour];
    context.fill();
  }
}
