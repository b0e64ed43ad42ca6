export default {
  title: '聊天',
  loading: '正在開啟聊天',
  login: { title: '登入後開始聊天', hint: '聊天會使用你的第一個可用權杖。', action: '登入' },
  noToken: {
    title: '目前沒有可用的啟用權杖，請確認是否有權杖處於啟用狀態！',
    hint: '馬上帶你去權杖清單。',
    action: '前往權杖清單',
  },
  broken: '聊天連結設定錯誤，請聯絡管理員',
  brokenHint: '連結沒有設定，或者不是可以開啟的位址。',
  loadFailed: '聊天無法開啟',
  outside: { title: '在 {{name}} 裡聊天', hint: '金鑰和位址會自動帶上。', action: '開啟 {{name}}' },
  newTab: '在新分頁開啟',
  newTabHint: '頁面空白？對方可能不允許嵌入。',
  leaving: '正在前往 {{name}}…',
}
