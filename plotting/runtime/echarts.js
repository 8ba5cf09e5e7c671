// The parts of Apache ECharts that figures are drawn with, as one private global. Built by `npm run build`.
import { use, init, graphic } from 'echarts/core';
import { ScatterChart, CustomChart } from 'echarts/charts';
import { GridSimpleComponent, AriaComponent, GraphicComponent } from 'echarts/components';
import { CanvasRenderer } from 'echarts/renderers';
use([ScatterChart, CustomChart, GridSimpleComponent, AriaComponent, GraphicComponent, CanvasRenderer]);
export { init, graphic };
