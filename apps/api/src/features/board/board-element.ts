import {
  BOARD_ELEMENT_MAX_BYTES,
  BoardElementId,
  type ElementRevision,
  shownText,
  type UserId,
} from '@mogakgong/contract';
import * as z from 'zod/mini';
import { ApiError } from '../../platform/http/index.ts';

/** An element as a learner drew it, checked. */
export interface DrawnElement extends ElementRevision {
  readonly id: string;
  readonly isDeleted: boolean;
  /** The picture that it shows. */
  readonly pictureId: string | null;
  /** Without its author, who is known only where it is stored. */
  readonly json: string;
}

/** Browsers keep ids as keys of plain objects, which have a `constructor` already. */
const Id = BoardElementId.check(z.refine((id) => !(id in Object.prototype)));
/** Far outside of what anybody reaches by scrolling; everything is finite. */
const Coordinate = z.number().check(z.gte(-1e7), z.lte(1e7));
/**
 * Several screens at the smallest zoom. Browsers draw the hatching of a shape line by line, in a distance
 * that depends on the width of the stroke: without both bounds a single element stops every browser.
 */
const Extent = z.number().check(z.gte(-5e4), z.lte(5e4));
const StrokeWidth = z.number().check(z.gte(0.5), z.lte(100));
const Size = z.number().check(z.gte(0), z.lte(1e4));
const Integer = z.int().check(z.gte(0));
const Point = z.tuple([Extent, Extent]);
const Flag = z.boolean();
/** A colour as CSS has it, no `url()`. It is drawn on a canvas and written as the attribute of an SVG. */
const Colour = z
  .string()
  .check(z.regex(/^(?:#?\w{1,30}|(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\([\w.,%/ +-]{1,60}\))$/u));
const orNull = <Schema extends z.ZodMiniType>(schema: Schema) => z.optional(z.nullable(schema));

const revision = {
  id: Id,
  version: z.int().check(z.gte(1)),
  versionNonce: Integer,
};

/** The fields of every element that is not deleted (Excalidraw 0.18); arrays are bounded by its bytes. */
const base = {
  ...revision,
  isDeleted: z.literal(false),
  x: Coordinate,
  y: Coordinate,
  width: Extent,
  height: Extent,
  angle: Coordinate,
  strokeColor: Colour,
  backgroundColor: Colour,
  fillStyle: z.enum(['hachure', 'cross-hatch', 'solid', 'zigzag']),
  strokeWidth: StrokeWidth,
  strokeStyle: z.enum(['solid', 'dashed', 'dotted']),
  roundness: orNull(z.object({ type: z.literal([1, 2, 3]), value: z.optional(Size) })),
  roughness: Size,
  opacity: z.number().check(z.gte(0), z.lte(100)),
  seed: Integer,
  /** Where it stands in the order of drawing. */
  index: orNull(z.string().check(z.regex(/^[0-9A-Za-z]{1,200}$/u))),
  groupIds: z.array(Id),
  frameId: orNull(Id),
  boundElements: orNull(z.array(z.object({ id: Id, type: z.enum(['arrow', 'text']) }))),
  updated: z.optional(Integer),
  link: orNull(z.string().check(z.maxLength(BOARD_ELEMENT_MAX_BYTES))),
  locked: Flag,
};

const Text = z.string().check(z.maxLength(BOARD_ELEMENT_MAX_BYTES));
const Binding = z.object({
  elementId: Id,
  focus: Coordinate,
  gap: Coordinate,
  fixedPoint: orNull(Point),
});
const Arrowhead = z.enum([
  'arrow',
  'bar',
  'dot',
  'circle',
  'circle_outline',
  'triangle',
  'triangle_outline',
  'diamond',
  'diamond_outline',
  'crowfoot_one',
  'crowfoot_many',
  'crowfoot_one_or_many',
]);
const linear = {
  ...base,
  points: z.array(Point),
  lastCommittedPoint: orNull(Point),
  startBinding: orNull(Binding),
  endBinding: orNull(Binding),
  startArrowhead: orNull(Arrowhead),
  endArrowhead: orNull(Arrowhead),
};
const Segment = z.object({ start: Point, end: Point, index: Integer });

/** What can be drawn here: no page of somebody else in a frame, and nothing that is made by a service. */
const LiveElement = z.discriminatedUnion('type', [
  z.object({ ...base, type: z.literal('rectangle') }),
  z.object({ ...base, type: z.literal('diamond') }),
  z.object({ ...base, type: z.literal('ellipse') }),
  z.object({ ...base, type: z.literal('frame'), name: orNull(Text) }),
  z.object({ ...linear, type: z.literal('line') }),
  z.object({
    ...linear,
    type: z.literal('arrow'),
    elbowed: z.optional(Flag),
    fixedSegments: orNull(z.array(Segment)),
    startIsSpecial: orNull(Flag),
    endIsSpecial: orNull(Flag),
  }),
  z.object({
    ...base,
    type: z.literal('freedraw'),
    points: z.array(Point),
    pressures: z.array(z.number().check(z.gte(0), z.lte(1))),
    simulatePressure: Flag,
    lastCommittedPoint: orNull(Point),
  }),
  z.object({
    ...base,
    type: z.literal('text'),
    fontSize: Size,
    fontFamily: z.int().check(z.gte(1), z.lte(100)),
    text: Text,
    originalText: Text,
    textAlign: z.enum(['left', 'center', 'right']),
    verticalAlign: z.enum(['top', 'middle', 'bottom']),
    containerId: orNull(Id),
    autoResize: z.optional(Flag),
    lineHeight: z.number().check(z.gte(0.1), z.lte(10)),
  }),
  z.object({
    ...base,
    type: z.literal('image'),
    /** The picture of this board that it shows: the hash of its bytes. */
    fileId: z.string().check(z.regex(/^[0-9a-f]{64}$/u)),
    status: z.enum(['pending', 'saved', 'error']),
    scale: z.tuple([z.number().check(z.gte(-1), z.lte(1)), z.number().check(z.gte(-1), z.lte(1))]),
    crop: orNull(
      z.object({
        x: Coordinate,
        y: Coordinate,
        width: Coordinate,
        height: Coordinate,
        naturalWidth: Coordinate,
        naturalHeight: Coordinate,
      }),
    ),
  }),
]);
type LiveElement = z.infer<typeof LiveElement>;

/** Of a deleted element nothing else is kept. */
const DeletedElement = z.object({
  ...revision,
  type: z.enum([
    'rectangle',
    'diamond',
    'ellipse',
    'frame',
    'line',
    'arrow',
    'freedraw',
    'text',
    'image',
  ]),
  isDeleted: z.literal(true),
});

const LINK_MAX_LENGTH = 2_048;

/**
 * Only to the web: a link is opened by whoever presses it. It is ASCII, as `URL` writes it: other characters
 * hide where it leads, and PostgreSQL reads no JSON with a NUL or half a surrogate pair.
 */
function safeLink(link: string | null | undefined): string | null {
  if (link == null || link.length > LINK_MAX_LENGTH || !URL.canParse(link)) return null;
  const { protocol, href } = new URL(link);
  return ['http:', 'https:'].includes(protocol) ? href : null;
}

/** The fields of an element that others read or press, as they may see them. */
function shownFields(element: LiveElement): Readonly<Record<string, string | null>> {
  const link = safeLink(element.link);
  if (element.type === 'frame') return { link, name: shownText(element.name ?? '') || null };
  if (element.type !== 'text') return { link };
  return { link, text: shownText(element.text), originalText: shownText(element.originalText) };
}

/**
 * Checks an element that a client sent; fields that are not known here are dropped. What must not be shown
 * is corrected, and the correction counts as one more version: so its sender takes it, like everybody.
 * @throws ApiError `boardElementBad` or `boardElementTooLarge`.
 */
export function readElement(sent: unknown): DrawnElement {
  const element = checked(sent);
  const json = JSON.stringify(element);
  if (Buffer.byteLength(json) > BOARD_ELEMENT_MAX_BYTES) throw new ApiError('boardElementTooLarge');
  const { id, version, versionNonce, isDeleted } = element;
  const pictureId = 'fileId' in element ? element.fileId : null;
  return { id, version, versionNonce, isDeleted, pictureId, json };
}

function checked(sent: unknown): LiveElement | z.infer<typeof DeletedElement> {
  const deleted = DeletedElement.safeParse(sent);
  if (deleted.success) return deleted.data;
  const live = LiveElement.safeParse(sent);
  if (live.success) return corrected(live.data);
  throw new ApiError('boardElementBad');
}

function corrected(element: LiveElement): LiveElement {
  const shown = shownFields(element);
  const sent: Readonly<Record<string, unknown>> = element;
  const isCorrected = Object.entries(shown).some(
    ([field, value]) => value !== (sent[field] ?? null),
  );
  return { ...element, ...shown, version: element.version + Number(isCorrected) };
}

/**
 * The JSON of an element as it is stored and delivered: with who made it, and who changed it last if that was
 * somebody else, whatever its sender said.
 */
export function withAuthor(
  { json }: Pick<DrawnElement, 'json'>,
  authorId: UserId,
  changedById = authorId,
): string {
  const customData = changedById === authorId ? { authorId } : { authorId, changedById };
  return `${json.slice(0, -1)},"customData":${JSON.stringify(customData)}}`;
}
