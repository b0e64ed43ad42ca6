export default {
  label: '即將推出',
  action: '回到主控台',
  home: '回到首頁',
  drawingLogs: '這裡會列出繪圖任務和結果。',
  inbox: '這裡會收到網站傳來的訊息。',
  message: '這裡會顯示一則訊息的全文。',
  messages: '這裡會撰寫站內信並檢視已讀情況。',
  oauth: '這裡會完成第三方帳號登入和綁定。',
  taskLogs: '這裡會列出音樂等非同步任務。',
}
