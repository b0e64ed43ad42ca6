export default {
  title: '关于 {{name}}',
  failed: '没能读取关于页面',
  words:
    '{{name}} 是一个大模型 API 网关：一个地址、一个令牌，就能用您熟悉的 OpenAI、Anthropic 或 Gemini 客户端调用各家模型。',
  next: '每次调用花了多少、为什么花这么多，都能在日志里逐项核对。可以先<prices>看看价格</prices>，或者<tokens>创建一个令牌</tokens>试试。',
  address: '接口地址',
  version: '版本',
  owner:
    '这段文字只是占位。您可以在<settings>系统设置 → 其他</settings>里写下自己的介绍，支持 Markdown、HTML 或一个网页地址。',
}
