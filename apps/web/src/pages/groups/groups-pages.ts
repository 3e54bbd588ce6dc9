export { GroupLinkPage } from './group-link-page.tsx';
export { GroupPage } from './group-page.tsx';
export { GroupsPage } from './groups-page.tsx';
