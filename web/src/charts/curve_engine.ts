// ECharts with no more in it than curves need.
import { CustomChart, LineChart } from "echarts/charts";
import { GridComponent } from "echarts/components";
import { init, use, type EChartsType } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import type { CurveOption } from "./curve_option";

use([LineChart, CustomChart, GridComponent, CanvasRenderer]);

export type CurveEngine = EChartsType;

export function startEngine(host: HTMLElement): CurveEngine {
  return init(host, null, { renderer: "canvas" });
}

// The SVG renderer is fetched when the first picture is saved.
export async function renderSvg(option: CurveOption, width: number, height: number): Promise<string> {
  const { SVGRenderer } = await import("echarts/renderers");
  use([SVGRenderer]);
  const engine = init(null, null, { renderer: "svg", ssr: true, width, height });
  engine.setOption(option);
  const svg = engine.renderToSVGString();
  engine.dispose();
  return svg;
}
