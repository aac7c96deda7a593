import classes from "./initials.module.css";

interface InitialsProps {
  name: string;
  image?: string | null;
  size?: number;
}

/** An image, or initials without one. Decorative, because the name is next to it. */
export function Initials({ name, image, size = 28 }: InitialsProps) {
  const box = { width: size, height: size, borderRadius: Math.round(size / 4), fontSize: Math.round(size * 0.42) };
  if (image) return <img className={classes.image} src={image} alt="" style={box} loading="lazy" decoding="async" />;
  return (
    <span className={classes.initials} style={box} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}

function initialsOf(name: string): string {
  const words = name.split(/[\s\-_.]+/).filter((word) => word !== "");
  const [first = "", second] = words;
  // A name of one word may have a second capital: InMobi is IM.
  const inner = second ?? /^.[^A-Z]*([A-Z])/.exec(first)?.[1] ?? first.slice(1, 2);
  return (first.slice(0, 1) + inner.slice(0, 1)).toUpperCase();
}
