import { renderMermaidSVG } from "beautiful-mermaid";

/**
 * A Mermaid diagram as the address of a picture, or null when it cannot be drawn. Inside an `img` an SVG
 * runs no script and loads nothing.
 */
export function renderMermaid(source: string): string | null {
  try {
    const svg = renderMermaidSVG(source).replace(/@import url\([^)]*\);/g, "");
    return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
  } catch {
    return null;
  }
}
