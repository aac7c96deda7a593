// The styles of the components that the first page needs; the others bring theirs along when they are loaded.
import "@mantine/core/styles/baseline.css";
import "@mantine/core/styles/default-css-variables.css";
import "@mantine/core/styles/global.css";
import "@mantine/core/styles/UnstyledButton.css";
import "@mantine/core/styles/Loader.css";
import "@mantine/core/styles/Button.css";
