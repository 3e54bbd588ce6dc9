import '@excalidraw/excalidraw/index.css';
import './surface.css';
import { Excalidraw, MainMenu, restoreElements } from '@excalidraw/excalidraw';
import type {
  BinaryFileData,
  ExcalidrawImperativeAPI,
  ExcalidrawInitialDataState,
} from '@excalidraw/excalidraw/types';
import { type Ref, useEffect, useImperativeHandle, useMemo, useState } from 'react';
import { useTranslation } from '../../../shared/i18n/texts.ts';
import { notify } from '../../../shared/ui/notify.ts';
import { boardTexts } from '../board-texts.ts';
import { dataUrlOf } from '../data-url.ts';
import { fetchCopyImage, type WholeCopy } from '../use-copies.ts';
import { useIsDark } from '../use-is-dark.ts';
import { exported } from './export.ts';
import type { SurfaceHandle } from './surface.tsx';

interface CopySurfaceProps {
  readonly whole: WholeCopy;
  readonly ref: Ref<Pick<SurfaceHandle, 'exportAs'>>;
}

/** A copy of a board as a drawing that can be looked at. */
export function CopySurface({ whole, ref }: CopySurfaceProps) {
  const { language } = useTranslation();
  const [api, setApi] = useState<ExcalidrawImperativeAPI | null>(null);
  const isDark = useIsDark();
  const initialData = useMemo(
    () => ({
      elements: restoreElements(whole.elements as unknown as Elements, null),
      appState: { viewBackgroundColor: 'transparent' },
      scrollToContent: true,
    }),
    [whole],
  );
  usePictures(api, whole);
  useEffect(() => api?.scrollToContent(undefined, { fitToContent: true, animate: false }), [api]);
  useImperativeHandle(ref, () => ({ exportAs: async (kind) => api && exported(api, kind) }), [api]);
  return (
    <div className="board-surface h-full">
      <Excalidraw
        excalidrawAPI={setApi}
        initialData={initialData}
        langCode={language === 'ko' ? 'ko-KR' : 'en'}
        theme={isDark ? 'dark' : 'light'}
        viewModeEnabled
        aiEnabled={false}
        validateEmbeddable={false}
        onLinkOpen={(_element, event) => event.preventDefault()}
      >
        <MainMenu>
          <MainMenu.DefaultItems.Help />
        </MainMenu>
      </Excalidraw>
    </div>
  );
}

type Elements = NonNullable<ExcalidrawInitialDataState['elements']>;

/** Loads the pictures of the copy into the drawing. */
function usePictures(api: ExcalidrawImperativeAPI | null, { copy, elements }: WholeCopy): void {
  const { t } = useTranslation(boardTexts);
  useEffect(() => {
    if (api === null) return;
    let isShown = true;
    const imageIds = new Set(elements.flatMap(({ fileId }) => (fileId ? String(fileId) : [])));
    const load = async (imageId: string) => {
      const dataURL = await dataUrlOf(await fetchCopyImage(copy.id, imageId));
      if (!isShown) return;
      api.addFiles([
        { id: imageId, dataURL, mimeType: 'image/webp', created: 0 } as BinaryFileData,
      ]);
    };
    void Promise.allSettled([...imageIds].map(load)).then((results) => {
      const hasFailed = results.some(({ status }) => status === 'rejected');
      if (isShown && hasFailed) notify.toast(t('copies.pictureMissing'), 'bad');
    });
    return () => {
      isShown = false;
    };
  }, [api, copy, elements, t]);
}
