/** The pages for developers, one download: they are served only where DEV_PAGES is on. */
export { ApiStatusPage } from './api-status-page.tsx';
export { BlockTestPage } from './block-test-page.tsx';
export { MessageTestPage, TestPage } from './test-page.tsx';
