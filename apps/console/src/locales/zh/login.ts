export default {
  title: '登录',
  purpose: '欢迎回到 {{name}}',
  username: '用户名或邮箱',
  password: '密码',
  submit: '登录',
  forgot: '忘记密码？',
  noAccount: '没有账户？',
  register: '点击注册',
  required: '请输入用户名和密码！',
  expired: '未登录或登录已过期，请重新登录！',
  registered: '注册成功！请登录。',
  weakPassword: {
    default: { title: '您正在使用默认密码！', text: '请立刻修改默认密码！' },
    weak: {
      title: '您的密码太容易被猜到！',
      text: '猜到超级管理员的密码，就能控制整个站点。请立刻换一个。',
    },
    action: '去修改',
    later: '稍后',
  },
}
