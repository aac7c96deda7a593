/**
 * What the web application stores when a user signs in (`remembered-login.ts`), as a script for the page. Without it, a page's
 * first requests do not go with the document, and a missing page asks for no session.
 */
export const REMEMBER_LOGIN = 'localStorage.setItem("millrace-login-expires", String(Date.now() + 86_400_000));';
