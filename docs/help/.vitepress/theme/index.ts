import DefaultTheme from "vitepress/theme-without-fonts";
import "./style.css";

// oxlint-disable-next-line import/no-default-export -- VitePress takes a theme as the default export
export default DefaultTheme;
