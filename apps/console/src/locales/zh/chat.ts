export default {
  title: '聊天',
  loading: '正在打开聊天',
  login: { title: '登录后开始聊天', hint: '聊天会使用你的第一个可用令牌。', action: '登录' },
  noToken: {
    title: '当前没有可用的启用令牌，请确认是否有令牌处于启用状态！',
    hint: '马上带你去令牌列表。',
    action: '前往令牌列表',
  },
  broken: '聊天链接配置错误，请联系管理员',
  brokenHint: '链接没有设置，或者不是可以打开的地址。',
  loadFailed: '聊天没能打开',
  outside: { title: '在 {{name}} 里聊天', hint: '密钥和地址会自动带上。', action: '打开 {{name}}' },
  newTab: '在新标签页打开',
  newTabHint: '页面空白？对方可能不允许嵌入。',
  leaving: '正在前往 {{name}}…',
}
