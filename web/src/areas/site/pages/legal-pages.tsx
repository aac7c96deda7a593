export { CopyrightPage } from "./copyright-page.tsx";
export { EulaPage } from "./eula-page.tsx";
export { PrivacyPage } from "./privacy-page.tsx";
export { TermsPage } from "./terms-page.tsx";
