export default {
  tagline: '一个入口，连接所有大模型；每一次调用都路由得当、计量清楚、账目可查。',
  openConsole: '进入控制台',
  seePrices: '查看价格',
  protocols: { title: '四种协议，任意上游', text: 'OpenAI、Responses、Anthropic、Gemini 客户端无需改代码即可接入。' },
  money: { title: '每一笔都算得清', text: '额度以整数记账，账单可逐项复算，不超扣、不漏记。' },
  failover: { title: '上游出错，用户无感', text: '首字之前自动换渠道，流式内容逐事件原样转发。' },
}
