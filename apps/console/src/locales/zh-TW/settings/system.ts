/** 系統設定裡每一項的名稱與說明。 */
export default {
  ServerAddress: {
    label: '伺服器位址',
    help: '本站的公開網址，用於郵件連結、登入與付款回呼，如 https://gate.example.com',
  },

  ReverseProxyEnabled: { label: '信任反向代理', help: '從代理的請求標頭裡讀取訪客 IP；只有前面確實有代理時才能開啟' },
  ReverseProxyProvider: { label: '代理類型', help: '決定讀取哪些請求標頭' },

  WorkerUrl: { label: '中繼位址', help: '填寫後，下載和 Webhook 都由它代為傳送' },
  WorkerValidKey: { label: '中繼金鑰', help: '隨每個請求傳給中繼服務' },

  audit_syslog_address: {
    label: 'Syslog 位址',
    help: 'RFC 5424，支援 tls://、tcp://、udp://，需填寫主機和連接埠；留空則不轉送',
  },
  audit_webhook_url: { label: 'Webhook 位址', help: '接收帶簽章的 JSON Lines 的 https 位址；留空則不轉送' },
  audit_webhook_secret: { label: 'Webhook 金鑰', help: '用於為每個請求簽章，供接收方驗證來源' },

  PasswordLoginEnabled: { label: '允許密碼登入', help: '關閉前請確認還有別的登入方式可用' },
  PasswordRegisterEnabled: { label: '允許密碼註冊', help: '關閉後只能透過第三方帳號註冊' },
  EmailVerificationEnabled: { label: '註冊需要驗證電子郵件', help: '需要先設定郵件伺服器' },
  RegisterEnabled: { label: '開放註冊', help: '關閉後任何方式都不能註冊新使用者' },
  TurnstileCheckEnabled: { label: '啟用真人驗證', help: '需要先填寫 Turnstile 的網站金鑰和金鑰' },
  GitHubOAuthEnabled: { label: '允許 GitHub 登入', help: '需要先填寫 GitHub 的用戶端 ID 和金鑰' },
  oidc_enabled: { label: '允許 OIDC 登入', help: '需要先填寫 OIDC 的用戶端和三個位址' },
  LinuxDOOAuthEnabled: { label: '允許 LinuxDO 登入', help: '需要先填寫 LinuxDO 的用戶端 ID 和金鑰' },
  WeChatAuthEnabled: { label: '允許微信登入', help: '需要先填寫微信服務的位址和權杖' },
  TelegramOAuthEnabled: { label: '允許 Telegram 登入', help: '需要先填寫機器人權杖' },
  security_new_device_mail_enabled: {
    label: '新裝置登入郵件通知',
    help: '帳號首次在某個瀏覽器登入時通知使用者；需要先設定郵件伺服器',
  },
  security_auth_failure_alert_threshold: {
    label: '每小時登入失敗警示門檻',
    help: '超過時通知超級管理員；0 表示不警示',
  },

  security_require_two_factor_for_admins: {
    label: '管理員必須啟用兩步驟驗證',
    help: '未啟用兩步驟驗證或通行密鑰的管理員只能先完成設定；開啟前請先為自己的帳號設定',
  },
  security_console_allowed_addresses: {
    label: '管理員允許的位址',
    help: '管理員只能從這些 IP 位址或網段使用控制台及其 API；留空表示不限。必須包含您目前的位址',
  },
  security_session_days: {
    label: '工作階段有效期',
    help: '工作階段在這麼多天後結束，對現有的同樣生效',
  },
  security_session_idle_minutes: {
    label: '閒置工作階段結束時間',
    help: '多少分鐘沒有請求後結束工作階段；0 表示不限',
  },

  EmailDomainRestrictionEnabled: { label: '限制電子郵件網域', help: '只有下面的網域可以註冊' },
  EmailAliasRestrictionEnabled: { label: '禁止電子郵件別名', help: '拒絕 @ 之前帶 + 或 . 的位址' },
  EmailDomainWhitelist: { label: '允許的電子郵件網域', help: '輸入後按 Enter 鍵新增，可以一次貼上多個' },

  SMTPServer: { label: 'SMTP 伺服器', help: '主機名稱，如 smtp.example.com' },
  SMTPPort: { label: 'SMTP 連接埠', help: '通常是 587，或 465（全程加密）' },
  SMTPAccount: { label: 'SMTP 帳號', help: '登入郵件伺服器的使用者名稱' },
  SMTPFrom: { label: '寄件者位址', help: '留空則使用帳號' },
  SMTPToken: { label: 'SMTP 密碼', help: '密碼或授權碼' },
  SMTPSSLEnabled: { label: '全程加密', help: '一開始就使用 TLS；連接埠為 465 時總是如此' },

  TurnstileSiteKey: { label: 'Turnstile 網站金鑰', help: '公開的，會傳送給每個訪客的瀏覽器' },
  TurnstileSecretKey: { label: 'Turnstile 金鑰', help: '伺服器驗證時使用' },

  GitHubClientId: { label: 'GitHub 用戶端 ID', help: '回呼位址填寫：伺服器位址 + /oauth/github' },
  GitHubClientSecret: { label: 'GitHub 用戶端金鑰', help: '在 GitHub 的 OAuth 應用程式裡產生' },

  oidc_client_id: { label: 'OIDC 用戶端 ID', help: '回呼位址填寫：伺服器位址 + /oauth/oidc' },
  oidc_client_secret: { label: 'OIDC 用戶端金鑰', help: '由身分提供者給出' },
  oidc_well_known: { label: '探索文件位址', help: '以 /.well-known/openid-configuration 結尾，裡面寫有下面三個位址' },
  oidc_authorization_endpoint: { label: '授權位址', help: '探索文件裡的 authorization_endpoint' },
  oidc_token_endpoint: { label: '權杖位址', help: '探索文件裡的 token_endpoint' },
  oidc_user_info_endpoint: { label: '使用者資訊位址', help: '探索文件裡的 userinfo_endpoint' },

  LinuxDOClientId: { label: 'LinuxDO 用戶端 ID', help: '回呼位址填寫：伺服器位址 + /oauth/linuxdo' },
  LinuxDOClientSecret: { label: 'LinuxDO 用戶端金鑰', help: '在 LinuxDO Connect 裡產生' },
  LinuxDOMinimumTrustLevel: { label: '最低信任等級', help: '低於它的帳號不能登入，0 到 4' },

  WeChatServerAddress: { label: '微信服務位址', help: '公眾號驗證服務的位址' },
  WeChatServerToken: { label: '微信服務權杖', help: '存取該服務所用的權杖' },
  WeChatAccountQRCodeImageURL: { label: '公眾號 QR Code', help: '登入時展示的圖片，https 位址或本站路徑' },

  TelegramBotName: { label: 'Telegram 機器人名稱', help: '不帶 @' },
  TelegramBotToken: { label: 'Telegram 機器人權杖', help: '由 BotFather 給出' },

  PayAddress: { label: '付款閘道位址', help: '易支付的 API 位址，留空則不開放線上儲值' },
  EpayId: { label: '商家 ID', help: '易支付的商家編號' },
  EpayKey: { label: '商家金鑰', help: '用於簽章與驗章' },
  CustomCallbackAddress: { label: '回呼位址', help: '付款結果發到這裡；留空則使用伺服器位址' },
  Price: { label: '儲值價格', help: '1 美元餘額賣多少當地貨幣' },
  MinTopUp: { label: '最低儲值', help: '一次至少儲值多少美元' },
  TopupGroupRatio: { label: '群組儲值倍率', help: '依使用者群組給儲值價格打折或加價' },

  stripe_enabled: { label: '啟用 Stripe', help: '需要先填寫下面兩個金鑰' },
  stripe_secret_key: { label: 'Stripe 金鑰', help: '以 sk_ 或 rk_ 開頭' },
  stripe_webhook_secret: { label: 'Stripe Webhook 簽章金鑰', help: '以 whsec_ 開頭，用於核對付款通知' },
  stripe_currency: { label: 'Stripe 貨幣', help: '三個字母的貨幣代碼，如 usd' },
  stripe_unit_price: { label: 'Stripe 單價', help: '1 美元餘額賣多少該貨幣' },

  Notice: { label: '公告', help: '向所有訪客彈出一次，內容變化後再彈；支援 Markdown 與 HTML' },
  About: { label: '關於', help: '關於頁面的內容：Markdown、HTML，或一個以 https:// 開頭的連結' },
  HomePageContent: { label: '首頁內容', help: '留空則顯示預設首頁；也可以是一個以 https:// 開頭的連結' },
  Footer: { label: '頁尾', help: 'HTML，留空則顯示預設頁尾' },
  content_trusted_html_enabled: {
    label: '信任以上 HTML',
    help: '連同指令碼一起顯示在隔離的框架裡，碰不到訪客的登入狀態。關閉時只顯示安全的標記',
  },
  SystemName: { label: '網站名稱', help: '顯示在標題、導覽和郵件裡' },
  Logo: { label: '網站圖示', help: '圖片的 https 位址或本站路徑，留空則使用預設圖示' },
  custom_head_html: { label: '自訂 head', help: '插入每個頁面的 <head>，如統計程式碼。只填寫您信任的內容' },
  global_css: { label: '全域樣式', help: '作用於每個頁面的 CSS' },
  global_js: { label: '全域指令碼', help: '在每個訪客的瀏覽器裡執行。只填寫您信任的內容' },
}
