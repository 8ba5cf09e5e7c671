// All of Apache ECharts, for charts of a user's own (package echartsx).
export * from 'echarts';
