import '@excalidraw/excalidraw/index.css';
import './surface.css';
import { Excalidraw, MainMenu } from '@excalidraw/excalidraw';
import type { ExcalidrawImperativeAPI } from '@excalidraw/excalidraw/types';
import {
  type Ref,
  type RefObject,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { useTranslation } from '../../../shared/i18n/texts.ts';
import { addPicture } from '../board-pictures.ts';
import type { BoardView } from '../board-view.ts';
import { useIsDark } from '../use-is-dark.ts';
import { type ExportKind, exported } from './board-file.ts';
import { Scene } from './scene.ts';

/** The requests that the surface answers. */
export interface SurfaceHandle {
  /** The drawing as a file; null where nothing is drawn. */
  readonly exportAs: (kind: ExportKind) => Promise<Blob | null>;
  /** Opens the list of its keys. */
  readonly showKeys: () => void;
}

interface SurfaceProps {
  readonly view: BoardView;
  readonly ref: Ref<SurfaceHandle>;
  /** Escape was pressed with nothing to end in the drawing. */
  readonly onEscape: () => void;
}

/** Our font, see build/excalidraw.ts. */
const FONT_OF_PAGES = 6;
const INITIAL_DATA = {
  appState: {
    activeTool: { type: 'freedraw', customType: null, locked: false, lastActiveTool: null },
    currentItemFontFamily: FONT_OF_PAGES,
    currentItemRoughness: 0,
    // The paper is ours, and follows the theme.
    viewBackgroundColor: 'transparent',
  },
} as const;

/** Saving and exporting are entries of our own menu; a file that is opened would replace the board. */
const UI_OPTIONS = {
  canvasActions: {
    changeViewBackgroundColor: false,
    clearCanvas: false,
    export: false,
    loadScene: false,
    saveToActiveFile: false,
    saveAsImage: false,
    toggleTheme: false,
  },
} as const;

/** Where Excalidraw draws; keys that are pressed in it mean nothing to the room around it. */
export function Surface({ view, ref, onEscape }: SurfaceProps) {
  const { language } = useTranslation();
  const [api, setApi] = useState<ExcalidrawImperativeAPI | null>(null);
  const isDark = useIsDark();
  const presentView = useEffectEvent(() => view);
  const sceneRef = useRef<Scene>(null);
  const { board } = view;
  useEffect(() => {
    if (api === null) return;
    const scene = new Scene(api, board, presentView);
    sceneRef.current = scene;
    return () => {
      sceneRef.current = null;
      scene.close();
    };
  }, [api, board]);
  useImperativeHandle(
    ref,
    () => ({
      exportAs: async (kind) => api && exported(api, kind),
      showKeys: () => api?.updateScene({ appState: { openDialog: { name: 'help' } } }),
    }),
    [api],
  );
  const areaRef = useRef<HTMLDivElement>(null);
  useOwnKeys(areaRef, api, onEscape);
  return (
    <div
      className="board-surface h-full"
      ref={areaRef}
      onPointerLeave={() => board.pointerMoved(null)}
    >
      {/* Mounted again in another language: otherwise its tools keep their names. */}
      <Excalidraw
        key={language}
        excalidrawAPI={setApi}
        initialData={INITIAL_DATA}
        langCode={language === 'ko' ? 'ko-KR' : 'en'}
        theme={isDark ? 'dark' : 'light'}
        viewModeEnabled={view.muteNote !== null}
        isCollaborating
        aiEnabled={false}
        validateEmbeddable={false}
        UIOptions={UI_OPTIONS}
        generateIdForFile={(file) => addPicture(board.roomId, file)}
        onChange={(elements, appState) => sceneRef.current?.changed(elements, appState)}
        onPointerUpdate={({ pointer: { x, y } }) => board.pointerMoved({ x, y })}
        onLinkOpen={(_element, event) => event.preventDefault()}
      >
        {/* In the place of its own menu, which surface.css hides: ours is in the heading. */}
        <MainMenu>{null}</MainMenu>
      </Excalidraw>
    </div>
  );
}

/**
 * Keys of Excalidraw for what the board does not offer: links, the list of all its commands, emptying the board
 * without a question, and a picture for the clipboard of whatever size.
 */
const isTurnedOff = ({ ctrlKey, metaKey, shiftKey, altKey, code }: KeyboardEvent) =>
  (shiftKey && altKey && code === 'KeyC') ||
  ((ctrlKey || metaKey) &&
    (['KeyK', 'Slash', 'Delete', 'Backspace'].includes(code) || (shiftKey && code === 'KeyP')));

/** What Escape would still end in Excalidraw. */
function hasSomethingToEnd(api: ExcalidrawImperativeAPI | null): boolean {
  if (api === null) return false;
  const state = api.getAppState();
  const isFree = state.activeTool.type === 'selection' || state.activeTool.type === 'hand';
  const open = [
    state.newElement,
    state.multiElement,
    state.editingTextElement,
    state.editingLinearElement,
    state.openPopup,
    state.openSidebar,
    state.openDialog,
    state.contextMenu,
    state.croppingElementId,
  ];
  const isSelected = Object.keys(state.selectedElementIds).length > 0;
  return !isFree || isSelected || open.some((each) => each != null);
}

/**
 * Keeps keys that are pressed in the element from the room around it, once Excalidraw has had them. Escape
 * is the panel's where there is nothing to end; Excalidraw would take it all the same. Native listeners, because Excalidraw removes its text field, from
 * which React would find the way up, while a key is pressed in it.
 */
function useOwnKeys(
  ref: RefObject<HTMLElement | null>,
  api: ExcalidrawImperativeAPI | null,
  onEscape: () => void,
): void {
  const leave = useEffectEvent(onEscape);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    let kept: KeyboardEvent | null = null;
    const decide = (event: KeyboardEvent) => {
      kept = event;
      const isFree = event.key === 'Escape' && !event.isComposing && !hasSomethingToEnd(api);
      if (isFree || isTurnedOff(event)) event.stopPropagation();
      if (isFree) leave();
    };
    const keep = (event: KeyboardEvent) => {
      if (event === kept) event.stopPropagation();
    };
    ref.current?.addEventListener('keydown', decide, { capture: true, signal });
    document.body.addEventListener('keydown', keep, { signal });
    return () => stop.abort();
  }, [ref, api]);
}
