/** Colours as a canvas takes them. */
export interface Inks {
  ink: string;
  quiet: string;
  line: string;
  comparison: string;
  series: readonly string[];
  font: string;
}

/** The colours of the page as they are now, resolved for drawing. */
export function inksOf(host: HTMLElement): Inks {
  const probe = document.createElement("span");
  host.append(probe);
  const pencil = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const resolve = (token: string) => {
    probe.style.color = `var(--color-${token})`;
    return painted(pencil, getComputedStyle(probe).color);
  };
  const inks = {
    ink: resolve("ink"),
    quiet: resolve("ink-3"),
    line: resolve("line"),
    comparison: resolve("chart-quiet"),
    series: [1, 2, 3, 4].map((number) => resolve(`chart-${number}`)),
    font: getComputedStyle(host).fontFamily,
  };
  probe.remove();
  return inks;
}

/** A colour in any notation as the red, green and blue that a pixel of it has. */
function painted(pencil: CanvasRenderingContext2D | null, colour: string): string {
  if (!pencil) return colour;
  pencil.clearRect(0, 0, 1, 1);
  pencil.fillStyle = colour;
  pencil.fillRect(0, 0, 1, 1);
  const [red, green, blue] = pencil.getImageData(0, 0, 1, 1).data;
  return `rgb(${red},${green},${blue})`;
}
