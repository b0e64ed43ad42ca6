export default {
  tagline: '一个地址接入各家大模型。沿用现有客户端，按量计费，每一笔账都能逐项核对。',
  contentOf: '{{name}} 首页',
  start: '开始使用',
  login: '登录',
  openConsole: '进入控制台',
  seePrices: '查看价格',
  address: {
    title: '接口地址',
    hint: '把客户端的 Base URL 换成它，其余代码不用改',
    copy: '复制接口地址',
    copyFor: '复制 {{name}} 客户端的地址',
    protocols: '支持的协议',
  },
  models: {
    title: '{{count}} 个模型可以调用',
    all: '全部模型与价格',
    others: '其他',
  },
  protocols: { title: '四种协议，任意上游', text: 'OpenAI、Responses、Anthropic、Gemini 客户端无需改代码即可接入。' },
  money: { title: '每一笔都算得清', text: '额度以整数记账，账单可逐项复算，不超扣、不漏记。' },
  failover: { title: '上游出错，用户无感', text: '首字之前自动换渠道，流式内容逐事件原样转发。' },
}
