export { createFocusRepository } from './focus.repository.ts';
export { serveFocus } from './focus.routes.ts';
export { FocusService } from './focus.service.ts';
export { noteComingsAndGoings } from './signs-of-life.ts';
export { createTodayRepository } from './today.repository.ts';
export { visitsOfSeats } from './visits-of-seats.ts';
