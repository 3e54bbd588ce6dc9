export { answerOf, type DoublePerson } from './person.ts';
export { type Lie, SocialDouble } from './social-double.ts';
