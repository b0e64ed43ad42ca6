/** システムの設定項目の名前と説明。 */
export default {
  ServerAddress: {
    label: 'サーバーアドレス',
    help: 'このサイトの公開アドレス。メールのリンク、ログインと決済のコールバックに使います。例：https://gate.example.com',
  },

  ReverseProxyEnabled: {
    label: 'リバースプロキシを信頼',
    help: 'プロキシのヘッダーから訪問者の IP を読み取ります。実際にプロキシがある場合だけオンにしてください',
  },
  ReverseProxyProvider: { label: 'プロキシの種類', help: 'どのヘッダーを読み取るかを決めます' },

  WorkerUrl: { label: '中継アドレス', help: '入力すると、ダウンロードと Webhook をここ経由で行います' },
  WorkerValidKey: { label: '中継キー', help: '各リクエストと一緒に中継サービスへ送ります' },

  audit_syslog_address: {
    label: 'Syslog アドレス',
    help: 'RFC 5424。tls://、tcp://、udp:// にホストとポートを付けて指定します。空欄の場合は転送しません',
  },
  audit_webhook_url: {
    label: 'Webhook アドレス',
    help: '署名付き JSON Lines を受け取る https アドレス。空欄の場合は転送しません',
  },
  audit_webhook_secret: {
    label: 'Webhook シークレット',
    help: '各リクエストに署名し、受信側で送信元を検証できるようにします',
  },

  PasswordLoginEnabled: {
    label: 'パスワードでのログインを許可',
    help: 'オフにする前に、ほかのログイン方法が使えることを確認してください',
  },
  PasswordRegisterEnabled: { label: 'パスワードでの登録を許可', help: 'オフにすると外部アカウントでのみ登録できます' },
  EmailVerificationEnabled: { label: '登録時にメールを確認', help: '先にメールサーバーの設定が必要です' },
  RegisterEnabled: { label: '新規登録を受け付ける', help: 'オフにすると、どの方法でも新規登録できません' },
  TurnstileCheckEnabled: {
    label: '人間であることの確認を有効にする',
    help: '先に Turnstile のサイトキーとシークレットキーが必要です',
  },
  GitHubOAuthEnabled: {
    label: 'GitHub でのログインを許可',
    help: '先に GitHub のクライアント ID とシークレットが必要です',
  },
  oidc_enabled: { label: 'OIDC でのログインを許可', help: '先に OIDC のクライアントと 3 つのアドレスが必要です' },
  LinuxDOOAuthEnabled: {
    label: 'LinuxDO でのログインを許可',
    help: '先に LinuxDO のクライアント ID とシークレットが必要です',
  },
  WeChatAuthEnabled: {
    label: 'WeChat でのログインを許可',
    help: '先に WeChat サービスのアドレスとトークンが必要です',
  },
  TelegramOAuthEnabled: { label: 'Telegram でのログインを許可', help: '先にボットのトークンが必要です' },
  security_new_device_mail_enabled: {
    label: '新しいデバイスからのログインをメールで通知',
    help: '初めてのブラウザーでログインがあるとユーザーに知らせます。メールサーバーの設定が必要です',
  },
  security_auth_failure_alert_threshold: {
    label: 'ログイン失敗の警告しきい値（1 時間）',
    help: '超えるとスーパー管理者に通知します。0 で無効',
  },

  security_require_two_factor_for_admins: {
    label: '管理者に 2 要素認証を必須にする',
    help: '2 要素認証もパスキーもない管理者は、その設定しかできなくなります。先に自分のアカウントに設定してください',
  },
  security_console_allowed_addresses: {
    label: '管理者に許可するアドレス',
    help: '管理者がコンソールと API を使える IP アドレスと範囲。空欄なら制限なし。自分のアドレスを含める必要があります',
  },
  security_session_days: {
    label: 'セッションの有効期間',
    help: 'この日数が経つとセッションが終了します。既存のセッションにも適用されます',
  },
  security_session_idle_minutes: {
    label: '操作のないセッションの終了',
    help: 'リクエストがない状態がこの分数続くと終了します。0 なら終了しません',
  },

  EmailDomainRestrictionEnabled: { label: 'メールのドメインを制限', help: '下のドメインだけが登録できます' },
  EmailAliasRestrictionEnabled: {
    label: 'メールの別名を禁止',
    help: '@ より前に + や . を含むアドレスを拒否します',
  },
  EmailDomainWhitelist: {
    label: '許可するメールのドメイン',
    help: '入力後に Enter で追加。複数をまとめて貼り付けられます',
  },

  SMTPServer: { label: 'SMTP サーバー', help: 'ホスト名。例：smtp.example.com' },
  SMTPPort: { label: 'SMTP ポート', help: '通常は 587、または 465（最初から暗号化）' },
  SMTPAccount: { label: 'SMTP アカウント', help: 'メールサーバーにログインするユーザー名' },
  SMTPFrom: { label: '差出人アドレス', help: '空欄ならアカウントを使います' },
  SMTPToken: { label: 'SMTP パスワード', help: 'パスワードまたはアプリ用コード' },
  SMTPSSLEnabled: { label: '最初から暗号化', help: '最初から TLS を使います。ポート 465 では常にそうなります' },

  TurnstileSiteKey: { label: 'Turnstile サイトキー', help: '公開情報で、すべての訪問者のブラウザーに送られます' },
  TurnstileSecretKey: { label: 'Turnstile シークレットキー', help: 'サーバーでの検証に使います' },

  GitHubClientId: {
    label: 'GitHub クライアント ID',
    help: 'コールバックアドレス：サーバーアドレス + /oauth/github',
  },
  GitHubClientSecret: { label: 'GitHub クライアントシークレット', help: 'GitHub の OAuth アプリで発行します' },

  oidc_client_id: { label: 'OIDC クライアント ID', help: 'コールバックアドレス：サーバーアドレス + /oauth/oidc' },
  oidc_client_secret: { label: 'OIDC クライアントシークレット', help: 'ID プロバイダーから発行されます' },
  oidc_well_known: {
    label: 'ディスカバリー文書のアドレス',
    help: '/.well-known/openid-configuration で終わり、下の 3 つのアドレスが書かれています',
  },
  oidc_authorization_endpoint: { label: '認可アドレス', help: 'ディスカバリー文書の authorization_endpoint' },
  oidc_token_endpoint: { label: 'トークンアドレス', help: 'ディスカバリー文書の token_endpoint' },
  oidc_user_info_endpoint: { label: 'ユーザー情報アドレス', help: 'ディスカバリー文書の userinfo_endpoint' },

  LinuxDOClientId: {
    label: 'LinuxDO クライアント ID',
    help: 'コールバックアドレス：サーバーアドレス + /oauth/linuxdo',
  },
  LinuxDOClientSecret: { label: 'LinuxDO クライアントシークレット', help: 'LinuxDO Connect で発行します' },
  LinuxDOMinimumTrustLevel: { label: '最低信頼レベル', help: 'これより低いアカウントはログインできません。0～4' },

  WeChatServerAddress: { label: 'WeChat サービスのアドレス', help: '公式アカウントの確認サービスのアドレス' },
  WeChatServerToken: { label: 'WeChat サービスのトークン', help: 'そのサービスへのアクセスに使うトークン' },
  WeChatAccountQRCodeImageURL: {
    label: '公式アカウントの QR コード',
    help: 'ログイン時に表示する画像。https のアドレスまたはこのサイトのパス',
  },

  TelegramBotName: { label: 'Telegram ボット名', help: '@ は不要です' },
  TelegramBotToken: { label: 'Telegram ボットのトークン', help: 'BotFather から発行されます' },

  PayAddress: {
    label: '決済ゲートウェイのアドレス',
    help: 'Epay の API アドレス。空欄ならオンラインチャージを受け付けません',
  },
  EpayId: { label: '加盟店 ID', help: 'Epay の加盟店番号' },
  EpayKey: { label: '加盟店キー', help: '署名と検証に使います' },
  CustomCallbackAddress: {
    label: 'コールバックアドレス',
    help: '決済結果の送信先。空欄ならサーバーアドレスを使います',
  },
  Price: { label: 'チャージ料金', help: '残高 1 ドルを現地通貨でいくらで販売するか' },
  MinTopUp: { label: '最低チャージ額', help: '1 回のチャージの最低額（ドル）' },
  TopupGroupRatio: {
    label: 'グループ別チャージ倍率',
    help: 'ユーザーグループごとにチャージ料金を割引または割増します',
  },

  stripe_enabled: { label: 'Stripe を有効にする', help: '先に下の 2 つのキーが必要です' },
  stripe_secret_key: { label: 'Stripe シークレットキー', help: 'sk_ または rk_ で始まります' },
  stripe_webhook_secret: {
    label: 'Stripe Webhook 署名シークレット',
    help: 'whsec_ で始まり、決済通知の検証に使います',
  },
  stripe_currency: { label: 'Stripe の通貨', help: '3 文字の通貨コード。例：usd' },
  stripe_unit_price: { label: 'Stripe の単価', help: '残高 1 ドルをその通貨でいくらで販売するか' },

  Notice: {
    label: 'お知らせ',
    help: 'すべての訪問者に 1 回表示し、内容が変わると再び表示します。Markdown と HTML が使えます',
  },
  About: {
    label: 'サイト紹介',
    help: '紹介ページの内容：Markdown、HTML、または https:// で始まるリンク',
  },
  HomePageContent: {
    label: 'ホームの内容',
    help: '空欄なら既定のホームを表示。https:// で始まるリンクも使えます',
  },
  Footer: { label: 'フッター', help: 'HTML。空欄なら既定のフッターを表示します' },
  content_trusted_html_enabled: {
    label: '上の HTML を信頼',
    help: 'スクリプトごと隔離されたフレームに表示し、訪問者のログイン状態には触れません。オフの場合は安全なマークアップだけを表示します',
  },
  SystemName: { label: 'サイト名', help: 'タイトル、メニュー、メールに表示します' },
  Logo: { label: 'サイトのロゴ', help: '画像の https アドレスまたはこのサイトのパス。空欄なら既定のロゴを使います' },
  custom_head_html: {
    label: 'カスタム head',
    help: 'すべてのページの <head> に挿入します（アクセス解析など）。信頼できる内容だけを入力してください',
  },
  global_css: { label: '全体のスタイル', help: 'すべてのページに適用する CSS' },
  global_js: {
    label: '全体のスクリプト',
    help: 'すべての訪問者のブラウザーで実行されます。信頼できる内容だけを入力してください',
  },
}
