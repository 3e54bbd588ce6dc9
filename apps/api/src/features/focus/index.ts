export { visitsOfSeats } from './visits-of-seats.ts';
