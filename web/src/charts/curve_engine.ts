// ECharts with no more in it than curves need.
import { CustomChart, LineChart } from "echarts/charts";
import { GridComponent } from "echarts/components";
import { init, use, type EChartsType } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";

use([LineChart, CustomChart, GridComponent, CanvasRenderer]);

export type CurveEngine = EChartsType;

export function startEngine(host: HTMLElement): CurveEngine {
  return init(host, null, { renderer: "canvas" });
}
