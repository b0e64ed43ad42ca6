export default {
  title: '關於 {{name}}',
  failed: '無法讀取關於頁面',
  words:
    '{{name}} 是一個大模型 API 閘道：一個位址、一個權杖，就能用您熟悉的 OpenAI、Anthropic 或 Gemini 用戶端呼叫各家模型。',
  next: '每次呼叫花了多少、為什麼花這麼多，都能在記錄裡逐項核對。可以先<prices>看看價格</prices>，或者<tokens>建立一個權杖</tokens>試試。',
  address: 'API 位址',
  version: '版本',
  owner:
    '這段文字只是預留文字。您可以在<settings>系統設定 → 其他</settings>裡寫下自己的介紹，支援 Markdown、HTML 或一個網頁位址。',
}
