export const App = "the page";
