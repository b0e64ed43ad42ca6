export default {
  tagline: '一個位址串接各家大模型。沿用現有用戶端，按量計費，每一筆帳都能逐項核對。',
  contentOf: '{{name}} 首頁',
  start: '開始使用',
  login: '登入',
  openConsole: '進入主控台',
  seePrices: '檢視價格',
  address: {
    title: 'API 位址',
    hint: '把用戶端的 Base URL 換成它，其餘程式碼不用改',
    copy: '複製 API 位址',
    copyFor: '複製 {{name}} 用戶端的位址',
    protocols: '支援的通訊協定',
  },
  models: {
    title: '{{count}} 個模型可以呼叫',
    all: '全部模型與價格',
    others: '其他',
  },
  protocols: {
    title: '四種通訊協定，任意上游',
    text: 'OpenAI、Responses、Anthropic、Gemini 用戶端無需改程式碼即可串接。',
  },
  money: { title: '每一筆都算得清', text: '配額以整數記帳，帳單可逐項重算，不超扣、不漏記。' },
  failover: { title: '上游出錯，使用者無感', text: '首字之前自動換渠道，串流內容逐事件原樣轉送。' },
}
