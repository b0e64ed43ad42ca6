/** Errors of requests to the control plane in general, of sign-in and of second factors. */
export const authErrors = {
  invalid_params: { status: 200, zh: '参数无效', en: 'The parameters are not valid.' },
  invalid_input: { status: 200, zh: '输入不合法：{field}', en: 'This field is not valid: {field}' },
  not_found: { status: 404, zh: '接口不存在：{method} {path}', en: 'Invalid URL ({method} {path})' },
  method_not_allowed: {
    status: 405,
    zh: '{path} 不支持 {method}，可用的方法：{allowed}',
    en: '{path} does not accept {method}. Use one of: {allowed}',
  },
  internal_error: {
    status: 500,
    zh: '服务器内部错误，请联系管理员并提供请求编号',
    en: 'Something went wrong on the server. Give the administrator the request id.',
  },
  service_unavailable: {
    status: 503,
    zh: '服务暂时不可用，请稍后再试',
    en: 'The service is not available right now. Try again shortly.',
  },
  body_too_large: { status: 413, zh: '请求内容过大', en: 'The request body is too large.' },
  unsupported_media_type: { status: 415, zh: '请求体必须是 JSON', en: 'The request body must be JSON.' },
  rate_limited: {
    status: 429,
    zh: '请求过于频繁，请 {seconds} 秒后再试',
    en: 'Too many requests. Try again in {seconds} s.',
  },

  not_logged_in: { status: 401, zh: '未登录且未提供访问令牌', en: 'You are not logged in and gave no access token.' },
  access_token_invalid: { status: 401, zh: '访问令牌无效', en: 'The access token is not valid.' },
  access_token_mistyped: {
    status: 401,
    zh: '访问令牌的校验和不匹配，可能有误输入，请重新复制',
    en: 'The checksum of this access token does not match: it was mistyped or changed. Copy it again.',
  },
  access_token_not_supported: {
    status: 400,
    zh: '操练场不支持使用访问令牌，请登录后使用',
    en: 'The playground does not take access tokens. Log in to use it.',
  },
  user_id_header_missing: {
    status: 401,
    zh: '未提供 Tidegate-User 请求头',
    en: 'The Tidegate-User header is missing.',
  },
  user_id_header_malformed: {
    status: 401,
    zh: 'Tidegate-User 请求头格式错误',
    en: 'The Tidegate-User header must be an integer.',
  },
  user_id_header_conflict: {
    status: 401,
    zh: '请求头给出了不同的用户 ID：{values}，请只保留一个',
    en: 'The user id headers name different users: {values}. Send one id only.',
  },
  user_id_header_mismatch: {
    status: 401,
    zh: 'Tidegate-User 与当前登录用户不一致',
    en: 'The Tidegate-User header names another user than the one logged in.',
  },
  user_banned: { status: 401, zh: '用户已被封禁', en: 'This user is banned.' },
  user_deregistered: { status: 401, zh: '用户已注销', en: 'This account was deregistered.' },
  forbidden: { status: 200, zh: '权限不足', en: 'You do not have permission for this.' },
  user_info_invalid: { status: 200, zh: '用户信息无效', en: 'The user record is not valid.' },
  cross_site_refused: { status: 403, zh: '拒绝来自其他网站的请求', en: 'Requests from another site are rejected.' },
  demo_site: { status: 405, zh: '本站仅作演示之用，无服务端！', en: 'This site is demo only, no server!' },

  setup_done: { status: 200, zh: '系统已经初始化', en: 'The system is already initialised.' },
  setup_required: { status: 200, zh: '系统尚未初始化', en: 'The system is not initialised yet.' },
  setup_username_required: { status: 200, zh: '请输入管理员用户名', en: 'Enter a username for the administrator.' },
  setup_username_invalid: {
    status: 200,
    zh: '用户名最长 12 个字符，且不能包含控制字符或 @',
    en: 'The username has at most 12 characters, with no control characters and no @.',
  },
  setup_password_short: { status: 200, zh: '密码长度至少为8个字符', en: 'The password needs at least 8 characters.' },
  setup_password_long: {
    status: 200,
    zh: '密码长度最多为 128 个字符',
    en: 'The password can have 128 characters at most.',
  },
  setup_password_mismatch: { status: 200, zh: '两次输入的密码不一致', en: 'The two passwords differ.' },
  setup_modes_exclusive: {
    status: 200,
    zh: '自用模式与演示站点不能同时开启',
    en: 'Self-use mode and demo site cannot both be on.',
  },
  setup_address_invalid: {
    status: 200,
    zh: '服务器地址必须以 http:// 或 https:// 开头，例如 https://gate.example.com',
    en: 'The server address must start with http:// or https://, for example https://gate.example.com.',
  },
  setup_code_required: {
    status: 200,
    zh: '请输入服务器日志中打印的初始化码',
    en: 'Enter the setup code that the server printed in its log.',
  },

  password_mismatch: { status: 200, zh: '两次输入的密码不一致', en: 'The two passwords differ.' },

  login_failed: {
    status: 200,
    zh: '用户名或密码错误，或用户已被封禁',
    en: 'Wrong username or password, or the user is banned.',
  },
  login_delayed: {
    status: 429,
    zh: '登录失败次数过多，请 {seconds} 秒后再试',
    en: 'Too many failed logins. Try again in {seconds} s.',
  },
  password_login_off: {
    status: 200,
    zh: '管理员关闭了密码登录',
    en: 'The administrator has turned password login off.',
  },
  register_off: { status: 200, zh: '管理员关闭了新用户注册', en: 'The administrator has closed registration.' },
  password_register_off: {
    status: 200,
    zh: '管理员关闭了密码注册，请使用第三方账户登录',
    en: 'The administrator has turned registration by password off. Sign in with another account instead.',
  },
  username_taken: {
    status: 200,
    zh: '用户名已存在，或已注销',
    en: 'This name exists already, or was deregistered.',
  },
  username_confusable: {
    status: 200,
    zh: '该用户名与已有用户名过于相似，请换一个',
    en: 'This name looks like one that exists already. Choose another one.',
  },
  password_common: {
    status: 200,
    zh: '该密码过于常见，很容易被猜到，请换一个',
    en: 'This password is too common and easy to guess. Choose another one.',
  },
  password_like_name: {
    status: 200,
    zh: '密码不能以用户名或站点名称为主，请换一个',
    en: 'The password is too similar to the username or the site name. Choose another one.',
  },
  username_reserved: { status: 200, zh: '该用户名被系统保留', en: 'This name is reserved.' },
  email_code_required: {
    status: 200,
    zh: '管理员开启了邮箱验证，请输入邮箱地址和验证码',
    en: 'Enter an email address and the code that was mailed to it.',
  },
  code_invalid: { status: 200, zh: '验证码错误或已过期', en: 'The code is wrong or has expired.' },
  email_invalid: { status: 200, zh: '邮箱地址无效', en: 'This is not a valid email address.' },
  email_taken: { status: 200, zh: '该邮箱已被使用', en: 'This address belongs to an account already.' },
  email_domain_not_allowed: {
    status: 200,
    zh: '管理员启用了邮箱域名白名单，该邮箱的域名不在其中',
    en: 'The administrator does not allow addresses of this domain.',
  },
  email_alias_not_allowed: {
    status: 200,
    zh: '管理员启用了邮箱别名限制，邮箱用户名不能包含 + 或 .',
    en: 'The administrator allows neither + nor . before the @ of an address.',
  },
  reset_link_invalid: {
    status: 200,
    zh: '重置链接无效或已过期',
    en: 'The link is not valid or has expired.',
  },
  mail_not_configured: {
    status: 200,
    zh: '邮件服务器未配置，请联系管理员',
    en: 'No mail server is configured. Ask the administrator.',
  },
  turnstile_empty: {
    status: 200,
    zh: 'Turnstile 校验令牌为空',
    en: 'The token of the human check is missing.',
  },
  turnstile_failed: {
    status: 200,
    zh: 'Turnstile 校验失败，请刷新后重试',
    en: 'The human check failed. Refresh the page and try again.',
  },
  turnstile_unavailable: {
    status: 200,
    zh: '人机校验服务暂时不可用，请稍后再试',
    en: 'The human check cannot be reached right now. Try again shortly.',
  },
  oauth_state_invalid: {
    status: 403,
    zh: '登录请求无效或已过期，请重新发起',
    en: 'This sign-in is not valid any more. Start it again.',
  },
  oauth_disabled: {
    status: 200,
    zh: '管理员未开启通过 {service} 登录',
    en: 'The administrator has not enabled sign-in through {service}.',
  },
  oauth_unreachable: {
    status: 200,
    zh: '无法连接至 {service} 服务器，请稍后重试',
    en: 'The server of {service} cannot be reached. Try again later.',
  },
  oauth_private_address: {
    status: 200,
    zh: '该地址位于内部网络，服务器不会访问。如需允许，请在启动时设置 TIDEGATE_ALLOW_PRIVATE_FETCHES',
    en: 'The address is in a private network, where the server does not look. TIDEGATE_ALLOW_PRIVATE_FETCHES allows it.',
  },
  oauth_bad_answer: {
    status: 200,
    zh: '{service} 返回的内容无法使用，请联系管理员',
    en: '{service} sent an unusable response. Ask the administrator.',
  },
  oauth_refused: { status: 200, zh: '{service} 未授权登录：{reason}', en: '{service} refused: {reason}' },
  oauth_already_bound: {
    status: 200,
    zh: '该 {service} 账户已被绑定',
    en: 'This {service} account is bound to an account already.',
  },
  github_name_unproven: {
    status: 200,
    zh: '此 GitHub 用户名曾由旧系统绑定到本站的一个账户，但无法确认属于你。请先登录该账户再重新绑定 GitHub，或联系管理员',
    en: 'An earlier system bound this GitHub name to an account here, and nothing shows that it is yours. Log in to that account and bind GitHub again, or ask the administrator.',
  },
  identity_not_bound: { status: 200, zh: '尚未绑定该账户', en: 'This account is not bound.' },
  last_sign_in: {
    status: 200,
    zh: '这是最后一种登录方式，请先设置密码或绑定其他账户',
    en: 'This is your last way to sign in. Set a password or bind another account first.',
  },
  trust_level_low: {
    status: 200,
    zh: 'LinuxDO 信任等级未达到管理员设置的最低等级 {level}',
    en: 'Your LinuxDO trust level is below the minimum of {level}.',
  },
  linuxdo_inactive: {
    status: 200,
    zh: '该 LinuxDO 账户未激活或已被禁言',
    en: 'This LinuxDO account is not active or is silenced.',
  },
  telegram_invalid: {
    status: 200,
    zh: 'Telegram 登录信息无效或已过期',
    en: 'What Telegram sent is not valid or has expired.',
  },
  telegram_unbound: {
    status: 200,
    zh: '该 Telegram 账户尚未绑定，请先登录后在个人设置中绑定',
    en: 'This Telegram account is not bound. Log in and bind it in your personal settings first.',
  },

  second_factor_required: {
    status: 200,
    zh: '请完成两步验证',
    en: 'Confirm the login with your second factor.',
  },
  second_factor_wrong: { status: 200, zh: '动态验证码错误', en: 'The code is wrong.' },
  login_ticket_invalid: {
    status: 200,
    zh: '登录已超时，请重新登录',
    en: 'This login took too long. Start again.',
  },
  proof_required: {
    status: 200,
    zh: '请先确认是你本人',
    en: 'Confirm that it is you first.',
  },
  reauth_factor_required: {
    status: 200,
    zh: '此账号已启用两步验证或通行密钥，请用验证码或通行密钥确认',
    en: 'This account has two-factor authentication or a passkey. Confirm with one of them instead of the password.',
  },
  session_required: {
    status: 200,
    zh: '此操作不能使用访问令牌，请登录后进行',
    en: 'This cannot be done with an access token. Log in instead.',
  },
  admin_second_factor_required: {
    status: 403,
    zh: '本站要求管理员启用两步验证或通行密钥，请先在个人设置的安全页面中设置',
    en: 'This site requires a second factor of administrators. Set up two-factor authentication or a passkey in your security settings first.',
  },
  admin_address_not_allowed: {
    status: 403,
    zh: '本站不允许管理员从 {address} 访问',
    en: 'Administrators cannot use this site from {address}.',
  },
  last_second_factor: {
    status: 200,
    zh: '本站要求管理员保留两步验证或通行密钥，请先添加另一种再移除这一种',
    en: 'Administrators of this site must keep a second factor. Add another one before you remove this one.',
  },
  totp_on: { status: 200, zh: '两步验证已开启', en: 'Two-factor authentication is on already.' },
  totp_off: { status: 200, zh: '两步验证未开启', en: 'Two-factor authentication is not on.' },
  totp_not_begun: {
    status: 200,
    zh: '请先获取两步验证的密钥',
    en: 'Get a secret for your authenticator app first.',
  },
  passkey_refused: {
    status: 200,
    zh: '通行密钥验证失败，请重试',
    en: 'The passkey was not accepted. Try again.',
  },
  passkey_known: { status: 200, zh: '该通行密钥已添加', en: 'This passkey was added already.' },
  passkey_not_found: { status: 200, zh: '通行密钥不存在', en: 'There is no such passkey.' },
  passkey_limit: {
    status: 200,
    zh: '最多可添加 {limit} 个通行密钥',
    en: 'An account can have {limit} passkeys at most.',
  },
  passkey_address_unset: {
    status: 200,
    zh: '管理员尚未设置服务器地址，无法使用通行密钥',
    en: 'Passkeys need the server address, which the administrator has not set.',
  },
  user_not_found: { status: 200, zh: '用户不存在', en: 'The user does not exist.' },
} as const

/** Errors of automation tokens, `Idempotency-Key` and `If-Match`. */
export const automationErrors = {
  automation_token_expired: { status: 401, zh: '自动化令牌已过期', en: 'The automation token has expired.' },
  automation_token_address: {
    status: 403,
    zh: '此自动化令牌不能在当前地址使用：{address}',
    en: 'The automation token may not be used from this address: {address}',
  },
  scope_missing: {
    status: 403,
    zh: '此自动化令牌缺少权限：{scope}',
    en: 'The automation token lacks this scope: {scope}',
  },
  not_for_tokens: {
    status: 403,
    zh: '自动化令牌不能进行此操作，请登录后进行',
    en: 'An automation token cannot do this. Log in instead.',
  },
  scopes_required: { status: 200, zh: '请至少选择一项权限', en: 'Choose at least one scope.' },
  scope_unknown: {
    status: 200,
    zh: '权限不存在或超出你的角色：{scope}',
    en: 'This scope does not exist or is above your role: {scope}',
  },
  edit_conflict: {
    status: 412,
    zh: '内容在你打开之后已被修改，请重新加载后再保存',
    en: 'This was changed after you loaded it. Load it again, then repeat your change.',
  },
  idempotency_key_invalid: {
    status: 400,
    zh: 'Idempotency-Key 须为 1 到 255 个可见 ASCII 字符',
    en: 'Idempotency-Key needs 1 to 255 visible ASCII characters.',
  },
  idempotency_key_reused: {
    status: 422,
    zh: '此 Idempotency-Key 已用于另一个内容不同的请求，请换一个',
    en: 'This Idempotency-Key was used for a request with other contents. Choose another one.',
  },
  idempotency_in_progress: {
    status: 409,
    zh: '使用此 Idempotency-Key 的请求仍在处理中，请稍后重试',
    en: 'A request with this Idempotency-Key is still under way. Try again shortly.',
  },
  idempotency_unfinished: {
    status: 409,
    zh: '使用此 Idempotency-Key 的请求中途中断，结果未知：请先查看是否已生效，再换一个键重试',
    en: 'The request with this Idempotency-Key was cut off and may have taken effect. Look first, then use another key.',
  },
} as const
