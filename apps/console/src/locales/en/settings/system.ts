/** Names of the system settings and of what visitors see, and a line on what each is for. */
export default {
  ServerAddress: {
    label: 'Server address',
    help: 'The public address of this site, for links in mails and for callbacks: https://gate.example.com',
  },

  ReverseProxyEnabled: {
    label: 'Trust a reverse proxy',
    help: "Reads visitors' addresses from its headers; only when there really is a proxy in front",
  },
  ReverseProxyProvider: { label: 'Kind of proxy', help: 'Which headers are read' },

  WorkerUrl: { label: 'Helper address', help: 'When set, downloads and webhooks go through it' },
  WorkerValidKey: { label: 'Helper key', help: 'Sent to the helper with every request' },

  audit_syslog_address: {
    label: 'Syslog address',
    help: 'RFC 5424 over tls://, tcp:// or udp://, with host and port. Blank: off',
  },
  audit_webhook_url: { label: 'Webhook address', help: 'An https address that gets signed JSON lines. Blank: off' },
  audit_webhook_secret: {
    label: 'Webhook secret',
    help: 'Signs every request, so that the receiver can check where it comes from',
  },

  PasswordLoginEnabled: { label: 'Log in with a password', help: 'Make sure of another way in before turning it off' },
  PasswordRegisterEnabled: { label: 'Register with a password', help: 'Off: only through another service' },
  EmailVerificationEnabled: { label: 'Verify email on registration', help: 'Needs a mail server' },
  RegisterEnabled: { label: 'Registration', help: 'Off: nobody can register in any way' },
  TurnstileCheckEnabled: { label: 'Human check', help: 'Needs both keys of Turnstile' },
  GitHubOAuthEnabled: { label: 'Log in with GitHub', help: 'Needs its client ID and secret' },
  oidc_enabled: { label: 'Log in with OIDC', help: 'Needs its client and three addresses' },
  LinuxDOOAuthEnabled: { label: 'Log in with LinuxDO', help: 'Needs its client ID and secret' },
  WeChatAuthEnabled: { label: 'Log in with WeChat', help: 'Needs the address and token of the WeChat service' },
  TelegramOAuthEnabled: { label: 'Log in with Telegram', help: 'Needs the token of a bot' },
  security_new_device_mail_enabled: {
    label: 'Mail on sign-in from a new device',
    help: 'Sends users a mail when a new browser signs in to their account; needs a mail server',
  },
  security_auth_failure_alert_threshold: {
    label: 'Alert at failed sign-ins per hour',
    help: 'More failures in an hour send an alert to the super admin; 0 turns alerts off',
  },

  security_require_two_factor_for_admins: {
    label: 'Require a second factor for administrators',
    help: 'Administrators without two-factor authentication and without a passkey can only set one up. Set up your own first',
  },
  security_console_allowed_addresses: {
    label: 'Addresses allowed for administrators',
    help: 'IP addresses and ranges from which administrators may use the console and its API; blank: everywhere. Must contain your own address',
  },
  security_session_days: {
    label: 'Session length',
    help: 'Sessions end after this many days, open ones too',
  },
  security_session_idle_minutes: {
    label: 'End idle sessions after',
    help: 'Minutes without a request; 0: never',
  },

  EmailDomainRestrictionEnabled: { label: 'Restrict email domains', help: 'Only the domains below may register' },
  EmailAliasRestrictionEnabled: { label: 'No email aliases', help: 'Refuses addresses with + or a dot before the @' },
  EmailDomainWhitelist: { label: 'Allowed email domains', help: 'Enter adds one; several can be pasted at once' },

  SMTPServer: { label: 'SMTP server', help: 'A host name, such as smtp.example.com' },
  SMTPPort: { label: 'SMTP port', help: 'Usually 587, or 465 with encryption from the start' },
  SMTPAccount: { label: 'SMTP account', help: 'The user name for the mail server' },
  SMTPFrom: { label: 'Sender address', help: 'Blank: the account is the sender' },
  SMTPToken: { label: 'SMTP password', help: 'The password, or a code made for apps' },
  SMTPSSLEnabled: { label: 'Encrypt from the start', help: 'TLS at once; always so on port 465' },

  TurnstileSiteKey: { label: 'Turnstile site key', help: "Public: every visitor's browser gets it" },
  TurnstileSecretKey: { label: 'Turnstile secret key', help: 'The server verifies with it' },

  GitHubClientId: { label: 'GitHub client ID', help: 'Callback address there: server address + /oauth/github' },
  GitHubClientSecret: { label: 'GitHub client secret', help: 'Made in the OAuth app at GitHub' },

  oidc_client_id: { label: 'OIDC client ID', help: 'Callback address there: server address + /oauth/oidc' },
  oidc_client_secret: { label: 'OIDC client secret', help: 'Given by the identity provider' },
  oidc_well_known: {
    label: 'Discovery document',
    help: 'Ends in /.well-known/openid-configuration and names the three addresses below',
  },
  oidc_authorization_endpoint: { label: 'Authorization address', help: 'authorization_endpoint of the document' },
  oidc_token_endpoint: { label: 'Token address', help: 'token_endpoint of the document' },
  oidc_user_info_endpoint: { label: 'User info address', help: 'userinfo_endpoint of the document' },

  LinuxDOClientId: { label: 'LinuxDO client ID', help: 'Callback address there: server address + /oauth/linuxdo' },
  LinuxDOClientSecret: { label: 'LinuxDO client secret', help: 'Made in LinuxDO Connect' },
  LinuxDOMinimumTrustLevel: { label: 'Lowest trust level', help: 'Accounts below it cannot log in; 0 to 4' },

  WeChatServerAddress: { label: 'WeChat service address', help: 'Where the service of the official account is' },
  WeChatServerToken: { label: 'WeChat service token', help: 'Opens that service' },
  WeChatAccountQRCodeImageURL: {
    label: 'QR code of the account',
    help: 'The image shown at login: an https address or a path of this site',
  },

  TelegramBotName: { label: 'Telegram bot name', help: 'Without the @' },
  TelegramBotToken: { label: 'Telegram bot token', help: 'Given by BotFather' },

  PayAddress: { label: 'Payment gateway', help: 'The address of Epay; blank closes online top-up' },
  EpayId: { label: 'Merchant ID', help: 'Your number at Epay' },
  EpayKey: { label: 'Merchant key', help: 'Signs and verifies payments' },
  CustomCallbackAddress: { label: 'Callback address', help: 'Where results arrive; blank: the server address' },
  Price: { label: 'Price of a dollar', help: 'What 1 USD of balance costs in local currency' },
  MinTopUp: { label: 'Smallest top-up', help: 'In dollars' },
  TopupGroupRatio: { label: 'Price by group', help: 'Discounts or surcharges on top-ups by user group' },

  stripe_enabled: { label: 'Stripe', help: 'Needs both secrets below' },
  stripe_secret_key: { label: 'Stripe secret key', help: 'Begins with sk_ or rk_' },
  stripe_webhook_secret: {
    label: 'Stripe webhook secret',
    help: 'Begins with whsec_; proves that notices are genuine',
  },
  stripe_currency: { label: 'Stripe currency', help: 'A code of three letters, such as usd' },
  stripe_unit_price: { label: 'Stripe price of a dollar', help: 'What 1 USD of balance costs in that currency' },

  Notice: { label: 'Notice', help: 'Shown once to every visitor, and again when it changes; Markdown and HTML' },
  About: { label: 'About', help: 'The about page: Markdown, HTML, or a link that begins with https://' },
  HomePageContent: { label: 'Home page', help: 'Blank: the default page; may be a link that begins with https://' },
  Footer: { label: 'Footer', help: 'HTML; blank shows the default footer' },
  content_trusted_html_enabled: {
    label: 'Trust the HTML above',
    help: "Shown with its scripts in a frame of its own, away from visitors' sessions. Off: harmless markup only",
  },
  SystemName: { label: 'Site name', help: 'In titles, navigation and mails' },
  Logo: { label: 'Logo', help: 'An image: an https address or a path of this site; blank: the default one' },
  custom_head_html: {
    label: 'Custom head',
    help: 'Put into <head> of every page, for analytics and the like. Only what you trust',
  },
  global_css: { label: 'Global styles', help: 'CSS for every page' },
  global_js: { label: 'Global script', help: "Runs in every visitor's browser. Only what you trust" },
}
