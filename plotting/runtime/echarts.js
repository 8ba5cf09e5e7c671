// The parts of Apache ECharts that figures are drawn with, as one private global. Built by `npm run build`.
import { use, init, connect, disconnect, getInstanceByDom, version, graphic } from 'echarts/core';
import { ScatterChart, LineChart, BarChart, CustomChart, HeatmapChart, GraphChart, BoxplotChart } from 'echarts/charts';
import {
  GridComponent, TooltipComponent, LegendComponent, TitleComponent, AriaComponent, DataZoomInsideComponent,
  VisualMapComponent, BrushComponent, MarkLineComponent, MarkPointComponent, MarkAreaComponent, GraphicComponent,
} from 'echarts/components';
import { CanvasRenderer } from 'echarts/renderers';
use([ScatterChart, LineChart, BarChart, CustomChart, HeatmapChart, GraphChart, BoxplotChart,
  GridComponent, TooltipComponent, LegendComponent, TitleComponent, AriaComponent, DataZoomInsideComponent,
  VisualMapComponent, BrushComponent, MarkLineComponent, MarkPointComponent, MarkAreaComponent, GraphicComponent,
  CanvasRenderer]);
export { init, connect, disconnect, getInstanceByDom, version, graphic };
