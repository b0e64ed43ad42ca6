/** 系统设置里每一项的名称与说明。 */
export default {
  ServerAddress: {
    label: '服务器地址',
    help: '本站的公网地址，用于邮件链接、登录与支付回调，如 https://gate.example.com',
  },

  ReverseProxyEnabled: { label: '信任反向代理', help: '从代理的请求头里读取访客 IP；只有前面确实有代理时才能开启' },
  ReverseProxyProvider: { label: '代理类型', help: '决定读取哪些请求头' },

  WorkerUrl: { label: '中转地址', help: '填写后，下载和 Webhook 都由它代发' },
  WorkerValidKey: { label: '中转密钥', help: '随每个请求发给中转服务' },

  audit_syslog_address: {
    label: 'Syslog 地址',
    help: 'RFC 5424，支持 tls://、tcp://、udp://，需填写主机和端口；留空则不转发',
  },
  audit_webhook_url: { label: 'Webhook 地址', help: '接收带签名的 JSON Lines 的 https 地址；留空则不转发' },
  audit_webhook_secret: { label: 'Webhook 密钥', help: '用于为每个请求签名，供接收方验证来源' },

  PasswordLoginEnabled: { label: '允许密码登录', help: '关闭前请确认还有别的登录方式可用' },
  PasswordRegisterEnabled: { label: '允许密码注册', help: '关闭后只能通过第三方账号注册' },
  EmailVerificationEnabled: { label: '注册需要验证邮箱', help: '需要先设置邮件服务器' },
  RegisterEnabled: { label: '开放注册', help: '关闭后任何方式都不能注册新用户' },
  TurnstileCheckEnabled: { label: '启用人机验证', help: '需要先填写 Turnstile 的站点密钥和密钥' },
  GitHubOAuthEnabled: { label: '允许 GitHub 登录', help: '需要先填写 GitHub 的客户端 ID 和密钥' },
  oidc_enabled: { label: '允许 OIDC 登录', help: '需要先填写 OIDC 的客户端和三个地址' },
  LinuxDOOAuthEnabled: { label: '允许 LinuxDO 登录', help: '需要先填写 LinuxDO 的客户端 ID 和密钥' },
  WeChatAuthEnabled: { label: '允许微信登录', help: '需要先填写微信服务的地址和令牌' },
  TelegramOAuthEnabled: { label: '允许 Telegram 登录', help: '需要先填写机器人令牌' },
  security_new_device_mail_enabled: {
    label: '新设备登录邮件提醒',
    help: '账号首次在某个浏览器登录时通知用户；需要先设置邮件服务器',
  },
  security_auth_failure_alert_threshold: {
    label: '每小时登录失败告警阈值',
    help: '超过时通知超级管理员；0 表示不告警',
  },

  security_require_two_factor_for_admins: {
    label: '管理员必须启用两步验证',
    help: '未启用两步验证或通行密钥的管理员只能先完成设置；开启前请先为自己的账号设置',
  },
  security_console_allowed_addresses: {
    label: '管理员允许的地址',
    help: '管理员只能从这些 IP 地址或网段使用控制台及其 API；留空表示不限。必须包含您当前的地址',
  },
  security_session_days: {
    label: '会话有效期',
    help: '会话在这么多天后结束，对已有会话同样生效',
  },
  security_session_idle_minutes: {
    label: '空闲会话结束时间',
    help: '多少分钟没有请求后结束会话；0 表示不限',
  },

  EmailDomainRestrictionEnabled: { label: '限制邮箱域名', help: '只有下面的域名可以注册' },
  EmailAliasRestrictionEnabled: { label: '禁止邮箱别名', help: '拒绝 @ 之前带 + 或 . 的地址' },
  EmailDomainWhitelist: { label: '允许的邮箱域名', help: '输入后按回车添加，可以一次粘贴多个' },

  SMTPServer: { label: 'SMTP 服务器', help: '主机名，如 smtp.example.com' },
  SMTPPort: { label: 'SMTP 端口', help: '通常是 587，或 465（全程加密）' },
  SMTPAccount: { label: 'SMTP 账号', help: '登录邮件服务器的用户名' },
  SMTPFrom: { label: '发件人地址', help: '留空则使用账号' },
  SMTPToken: { label: 'SMTP 密码', help: '密码或授权码' },
  SMTPSSLEnabled: { label: '全程加密', help: '一开始就使用 TLS；端口为 465 时总是如此' },

  TurnstileSiteKey: { label: 'Turnstile 站点密钥', help: '公开的，会发送给每个访客的浏览器' },
  TurnstileSecretKey: { label: 'Turnstile 密钥', help: '服务器验证时使用' },

  GitHubClientId: { label: 'GitHub 客户端 ID', help: '回调地址填写：服务器地址 + /oauth/github' },
  GitHubClientSecret: { label: 'GitHub 客户端密钥', help: '在 GitHub 的 OAuth 应用里生成' },

  oidc_client_id: { label: 'OIDC 客户端 ID', help: '回调地址填写：服务器地址 + /oauth/oidc' },
  oidc_client_secret: { label: 'OIDC 客户端密钥', help: '由身份提供方给出' },
  oidc_well_known: { label: '发现文档地址', help: '以 /.well-known/openid-configuration 结尾，里面写有下面三个地址' },
  oidc_authorization_endpoint: { label: '授权地址', help: '发现文档里的 authorization_endpoint' },
  oidc_token_endpoint: { label: '令牌地址', help: '发现文档里的 token_endpoint' },
  oidc_user_info_endpoint: { label: '用户信息地址', help: '发现文档里的 userinfo_endpoint' },

  LinuxDOClientId: { label: 'LinuxDO 客户端 ID', help: '回调地址填写：服务器地址 + /oauth/linuxdo' },
  LinuxDOClientSecret: { label: 'LinuxDO 客户端密钥', help: '在 LinuxDO Connect 里生成' },
  LinuxDOMinimumTrustLevel: { label: '最低信任等级', help: '低于它的账号不能登录，0 到 4' },

  WeChatServerAddress: { label: '微信服务地址', help: '公众号验证服务的地址' },
  WeChatServerToken: { label: '微信服务令牌', help: '访问该服务所用的令牌' },
  WeChatAccountQRCodeImageURL: { label: '公众号二维码', help: '登录时展示的图片，https 地址或本站路径' },

  TelegramBotName: { label: 'Telegram 机器人名称', help: '不带 @' },
  TelegramBotToken: { label: 'Telegram 机器人令牌', help: '由 BotFather 给出' },

  PayAddress: { label: '支付网关地址', help: '易支付的接口地址，留空则不开放在线充值' },
  EpayId: { label: '商户 ID', help: '易支付的商户号' },
  EpayKey: { label: '商户密钥', help: '用于签名与验签' },
  CustomCallbackAddress: { label: '回调地址', help: '支付结果发到这里；留空则使用服务器地址' },
  Price: { label: '充值价格', help: '1 美元余额卖多少本地货币' },
  MinTopUp: { label: '最低充值', help: '一次至少充值多少美元' },
  TopupGroupRatio: { label: '分组充值倍率', help: '按用户分组给充值价格打折或加价' },

  stripe_enabled: { label: '启用 Stripe', help: '需要先填写下面两个密钥' },
  stripe_secret_key: { label: 'Stripe 密钥', help: '以 sk_ 或 rk_ 开头' },
  stripe_webhook_secret: { label: 'Stripe Webhook 签名密钥', help: '以 whsec_ 开头，用于核对支付通知' },
  stripe_currency: { label: 'Stripe 货币', help: '三个字母的货币代码，如 usd' },
  stripe_unit_price: { label: 'Stripe 单价', help: '1 美元余额卖多少该货币' },

  Notice: { label: '公告', help: '向所有访客弹出一次，内容变化后再弹；支持 Markdown 与 HTML' },
  About: { label: '关于', help: '关于页面的内容：Markdown、HTML，或一个以 https:// 开头的链接' },
  HomePageContent: { label: '首页内容', help: '留空则显示默认首页；也可以是一个以 https:// 开头的链接' },
  Footer: { label: '页脚', help: 'HTML，留空则显示默认页脚' },
  content_trusted_html_enabled: {
    label: '信任以上 HTML',
    help: '连同脚本一起显示在隔离的框架里，碰不到访客的登录状态。关闭时只显示安全的标记',
  },
  SystemName: { label: '站点名称', help: '显示在标题、导航和邮件里' },
  Logo: { label: '站点图标', help: '图片的 https 地址或本站路径，留空则使用默认图标' },
  custom_head_html: { label: '自定义 head', help: '插入每个页面的 <head>，如统计代码。只填写您信任的内容' },
  global_css: { label: '全局样式', help: '作用于每个页面的 CSS' },
  global_js: { label: '全局脚本', help: '在每个访客的浏览器里运行。只填写您信任的内容' },
}
