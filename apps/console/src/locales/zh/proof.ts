export default {
  title: '确认是您本人',
  purpose: '此操作涉及安全或资金。确认之后，十分钟内不会再次询问。',
  way: '确认方式',
  ways: { password: '密码', code: '动态验证码', passkey: '通行密钥' },
  missing: { password: '请输入密码', code: '请输入验证器应用显示的 6 位数字' },
  wrongCode: '验证码不对，请输入应用此刻显示的数字',
  confirm: '确认',
  passkey: {
    hint: '浏览器会请您验证指纹、面容、PIN 码或安全密钥。',
    use: '使用通行密钥',
    closed: '浏览器的验证窗口已关闭或超时，请重试。',
    known: '这台设备上已经有此账户的通行密钥。',
    otherAddress: '只有通过管理员设置的站点地址访问时，才能使用通行密钥。',
    unfit: '这台设备无法创建足够安全的通行密钥，请换一台设备试试。',
  },
  logInAgain: {
    text: '此账户的确认方式在这里都不可用。请重新登录，登录后十分钟内无需再确认。',
    action: '重新登录',
  },
}
