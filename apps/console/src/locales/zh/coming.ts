export default {
  label: '即将到来',
  action: '回到控制台',
  home: '回到首页',
  drawingLogs: '这里会列出绘图任务和结果。',
  inbox: '这里会收到站点发来的消息。',
  message: '这里会显示一条消息的全文。',
  messages: '这里会撰写站内信并查看已读情况。',
  oauth: '这里会完成第三方账号登录和绑定。',
  taskLogs: '这里会列出音乐等异步任务。',
}
