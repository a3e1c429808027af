// The SVG renderer of ECharts, in a file of its own so that it is fetched when the first picture is saved.
import { init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import type { CurveOption } from "./curve_option";

use([SVGRenderer]);

export function renderSvg(option: CurveOption, width: number, height: number): string {
  const engine = init(null, null, { renderer: "svg", ssr: true, width, height });
  engine.setOption(option);
  const svg = engine.renderToSVGString();
  engine.dispose();
  return svg;
}
