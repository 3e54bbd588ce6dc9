import { ChatTest } from './chat-test.tsx';
import { DeveloperPage } from './developer-page.tsx';
import { useDeveloperTexts } from './developer-texts.ts';
import { Gallery } from './gallery.tsx';

/** The chat test, and every component of the product's own set (specification §2, `/test-page`). */
export function TestPage() {
  const texts = useDeveloperTexts();
  return (
    <DeveloperPage title={texts.testPage}>
      <ChatTest />
      <Gallery />
    </DeveloperPage>
  );
}

/** The chat test alone (specification §2, `/message-test`). */
export function MessageTestPage() {
  const texts = useDeveloperTexts();
  return (
    <DeveloperPage title={texts.messageTest}>
      <ChatTest />
    </DeveloperPage>
  );
}
