/*
 * Icons that only the board shows. An icon that is imported by its name is downloaded with every page;
 * these are downloaded with the board.
 */
export { default as OthersIcon } from 'lucide-react/icons/ellipsis';
export { default as HistoryIcon } from 'lucide-react/icons/history';
export { default as ListIcon } from 'lucide-react/icons/list';
export { default as WidenIcon } from 'lucide-react/icons/maximize-2';
export { default as MoreIcon } from 'lucide-react/icons/menu';
export { default as NarrowIcon } from 'lucide-react/icons/minimize-2';
export { default as DrawIcon } from 'lucide-react/icons/pen-line';
export { default as BoardIcon } from 'lucide-react/icons/presentation';
