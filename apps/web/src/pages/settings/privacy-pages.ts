/** The pages that share the privacy panels, in one file to download. */
export { PrivacySection } from './privacy-section.tsx';
export { RestrictedAccountPage } from './restricted-account-page.tsx';
