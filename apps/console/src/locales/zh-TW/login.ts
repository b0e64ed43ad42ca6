export default {
  title: '登入',
  purpose: '歡迎回到 {{name}}',
  username: '使用者名稱或電子郵件',
  password: '密碼',
  submit: '登入',
  forgot: '忘記密碼？',
  noAccount: '沒有帳戶？',
  register: '立即註冊',
  required: '請輸入使用者名稱和密碼！',
  expired: '未登入或登入已過期，請重新登入！',
  registered: '註冊成功！請登入。',
  weakPassword: {
    default: { title: '您正在使用預設密碼！', text: '請立刻修改預設密碼！' },
    weak: {
      title: '您的密碼太容易被猜到！',
      text: '猜到超級管理員的密碼，就能控制整個網站。請立刻換一個。',
    },
    action: '前往修改',
    later: '稍後',
  },
}
