/** 運営の設定項目の名前と説明。 */
export default {
  TopUpLink: {
    label: 'チャージリンク',
    help: '引換コードを販売するページ。ウォレットの「コードを入手」から開きます',
  },
  general_setting_docs_link: {
    label: 'ドキュメントのリンク',
    help: '上部メニューのドキュメントへの入口。空欄なら表示しません',
  },
  general_setting_default_language: {
    label: '既定の言語',
    help: 'リクエストに言語の指定（Accept-Language）がないときのエラーとメールの言語。自動：/v1 は英語、/api は中国語',
  },
  QuotaPerUnit: {
    label: '1 ドルあたりのクォータ',
    help: '1 ドルが何クォータに当たるか。変更すると、すべての残高と料金のドル金額が変わります',
  },
  RetryTimes: {
    label: '失敗時の再試行回数',
    help: '自動再試行がオフのとき、別のチャネルで試す回数。0 は再試行なし',
  },
  DisplayInCurrencyEnabled: { label: 'クォータをドルで表示', help: 'オフにするとクォータの数値をそのまま表示します' },
  DisplayTokenStatEnabled: {
    label: 'トークン単位で残高を照会',
    help: '請求照会 API が、ユーザーの残高ではなくトークン自身のクォータを返します',
  },
  DefaultCollapseSidebar: {
    label: 'サイドバーを最初から折りたたむ',
    help: '初めてコンソールを開いたときのサイドバーの状態',
  },
  DemoSiteEnabled: { label: 'デモサイト', help: 'スーパー管理者以外は閲覧のみで、変更できません' },
  SelfUseModeEnabled: {
    label: '個人利用モード',
    help: '自分だけで使います。登録を停止し、料金のないモデルも使えます',
  },

  QuotaForNewUser: { label: '新規ユーザーの初期クォータ', help: '登録時に付与します' },
  QuotaForInviter: { label: '招待者へのクォータ', help: '招待された人が登録すると招待者に付与します' },
  QuotaForInvitee: { label: '招待された人へのクォータ', help: '招待から登録した人に追加で付与します' },
  PreConsumedQuota: {
    label: '事前確保するトークン数',
    help: 'リクエストに最大出力の指定がないとき、このトークン数分のクォータを先に確保します',
  },
  billing_max_output_tokens: {
    label: '最大出力',
    help: 'どのリクエストもこの出力トークン数を超えられません。0 は無制限です',
  },
  billing_assumed_output_tokens: {
    label: '想定出力',
    help: '出力上限の指定がなく、モデルの最大出力も不明なリクエストのために確保するトークン数',
  },
  billing_disconnect_read_seconds: {
    label: '切断後の読み取り',
    help: 'クライアントの切断後、使用量を得るために応答を読み続ける時間。0 はすぐに停止します',
  },
  AffEnabled: { label: '招待を有効にする', help: '招待リンクを表示し、招待報酬を付与します' },

  RebateEnabled: {
    label: '紹介還元を有効にする',
    help: '招待された人がチャージまたは引換をすると、招待者が一定割合のクォータを受け取ります',
  },
  RebatePercentage: { label: '還元率', help: '0～100、小数点以下 2 桁まで' },

  CheckInEnabled: { label: 'チェックインを有効にする', help: 'ユーザーは 1 日 1 回クォータを受け取れます' },
  CheckInQuota: { label: 'チェックインの報酬', help: '固定の報酬。最大報酬を設定した場合は最小値になります' },
  CheckInMaxQuota: {
    label: 'チェックインの最大報酬',
    help: '報酬より大きい場合、その間でランダムに付与します。0 はランダムなし',
  },

  Chats: {
    label: 'チャットリンク',
    help: '順番どおりの一覧で、各項目は名前とリンクが 1 つずつ。{key} と {address} はトークンとサーバーアドレスに置き換わります',
  },

  GroupRatio: { label: 'グループ倍率', help: 'キーがサイトのグループ、値がそのグループの料金に掛ける倍率です' },
  UserUsableGroups: {
    label: 'ユーザーが選べるグループ',
    help: 'すべてのユーザーが選べるグループ。値はユーザーに表示する説明です',
  },
  AutoGroups: {
    label: 'auto のグループ',
    help: '順序付きの一覧です。グループ auto のトークンは、ユーザーが利用でき、モデルを提供する最初のグループを使い、そのグループの倍率で課金されます',
  },
  DefaultUseAutoGroup: {
    label: '新しいトークンは auto を使う',
    help: 'グループを選ばずに作成したトークンはグループ auto になります',
  },

  ModelRates: {
    label: '料金カード',
    help: 'モデルごとの 100 万トークンあたりの米ドル料金。段階料金と追加料金を設定でき、他のすべての料金より優先されます',
  },
  ModelPrice: {
    label: 'モデルの固定料金',
    help: '1 回の呼び出しの料金（ドル）。設定するとトークン課金ではなくなります',
  },
  ModelRatio: { label: 'モデル倍率', help: '倍率 1 は入力 100 万トークンあたり 2 ドルです' },
  CompletionRatio: { label: 'モデルの補完倍率', help: '出力料金が入力料金の何倍か' },
  CacheRatio: { label: 'キャッシュ倍率', help: 'キャッシュされた入力の料金が通常の入力の何倍か' },

  fallback_pricing_enabled: {
    label: 'フォールバック料金を有効にする',
    help: '料金のないモデルを下の料金で課金します。課金方法を切り替えるには、先にオフにして保存してください',
  },
  fallback_single_price: {
    label: 'フォールバック固定料金',
    help: '1 回の呼び出しの料金（ドル）。下の 2 つの倍率とはどちらか一方',
  },
  fallback_input_ratio: { label: 'フォールバック入力倍率', help: '補完倍率と一緒に入力してください' },
  fallback_completion_ratio: { label: 'フォールバック補完倍率', help: '入力倍率と一緒に入力してください' },
  redirect_billing_enabled: {
    label: '要求されたモデルで課金',
    help: 'チャネルが別のモデルにリダイレクトしても、ユーザーが指定した名前で課金します',
  },

  DrawingEnabled: { label: '画像生成を有効にする', help: 'サイドバーに画像生成ログを表示します' },
  MjNotifyEnabled: {
    label: 'アップストリームのコールバックを許可',
    help: 'このサーバーのアドレスがアップストリームに知られます。オフにするとリクエストからコールバック先を取り除きます',
  },
  MjAccountFilterEnabled: {
    label: 'アカウントの指定を許可',
    help: 'クライアントがアカウントの絞り込みパラメーターを渡せます',
  },
  MjForwardUrlEnabled: {
    label: '画像アドレスをこのサイトに変更',
    help: 'アップストリームの画像アドレスを、このサイトの転送アドレスに置き換えます',
  },
  MjModeClearEnabled: {
    label: '速度パラメーターを除去',
    help: 'プロンプトから --fast、--relax、--turbo を取り除きます',
  },
  MjActionCheckSuccessEnabled: {
    label: '後続操作は画像の完成後のみ',
    help: '拡大や変形などの操作は、画像の生成が成功してから行えます',
  },
  TaskEnabled: { label: '非同期タスクを有効にする', help: 'サイドバーにタスクログを表示します' },

  CheckSensitiveEnabled: { label: '禁止語を有効にする', help: 'オフにすると下の確認は行いません' },
  CheckSensitiveOnPromptEnabled: {
    label: 'プロンプトを確認',
    help: '禁止語を含むリクエストは拒否し、アップストリームに送りません',
  },
  SensitiveWords: {
    label: '禁止語',
    help: '1 行に 1 つ、大文字と小文字は区別しません。regex: で始まる行は正規表現です',
  },
  StopOnSensitiveEnabled: {
    label: '出力に禁止語が現れたら停止',
    help: '互換性のための項目です。現在、出力は確認していません',
  },
  StreamCacheQueueLength: {
    label: 'ストリームキャッシュのキュー長',
    help: '互換性のための項目です。現在、出力は確認していません',
  },

  LogConsumeEnabled: {
    label: '利用ログを記録',
    help: 'オフにすると呼び出しの明細を書き込みません。使用量の合計と課金は通常どおりです',
  },
  LogChatContentEnabled: {
    label: '会話の内容を記録',
    help: 'ログにプロンプトと回答を保存します。ユーザーにはその旨が表示されます',
  },
  LogErrorEnabled: {
    label: 'エラーログを記録',
    help: '失敗または拒否されたリクエストも記録します。拒否されたものは 7 日間保存されます',
  },
  LogRetentionDays: {
    label: 'ログの保存日数',
    help: '古いログは自動で削除され、使用量の合計には影響しません。0 は無期限',
  },
  LogRetentionGigabytes: { label: 'ログの容量上限', help: '超えると最も古い日から削除します。0 は無制限' },
  LogChatContentDays: { label: '会話内容の保存日数', help: 'ログより短くできます。0 はログと同じ期間' },

  DataExportEnabled: {
    label: 'ダッシュボードを有効にする',
    help: '使用量のグラフを表示します。オフでも表示しないだけで、集計は続きます',
  },
  DataExportInterval: {
    label: 'データの書き込み間隔',
    help: '互換性のための項目です。使用量は精算のたびに書き込まれます',
  },
  DataExportDefaultTime: { label: '既定の時間単位', help: 'ダッシュボードを開いたときのグラフの刻み' },

  ChannelDisableThreshold: {
    label: '最長応答時間',
    help: '自動無効化がオンのとき、全チャネルのテストでこれより遅いチャネルを無効にします。0 は遅さで無効にしません',
  },
  QuotaRemindThreshold: {
    label: '残高警告の基準',
    help: 'ユーザー自身の設定がないとき、残高がこれを下回ると警告します。0 は警告なし',
  },
  AutomaticDisableChannelEnabled: {
    label: '失敗時にチャネルを自動無効化',
    help: 'アップストリームが致命的なエラーを返すと、そのチャネルを無効にします',
  },
  AutomaticEnableChannelEnabled: {
    label: '成功時にチャネルを自動有効化',
    help: '自動で無効になったチャネルを、テストの成功後に再び有効にします',
  },
  AutomaticDisableKeywords: {
    label: '自動無効化のキーワード',
    help: '1 行に 1 つ、大文字と小文字は区別しません。プロバイダーのエラーに短時間で 2 回、または全チャネルのテストで 1 回現れるとチャネルを無効にします',
  },

  ShadowEnabled: {
    label: 'シャドーモード',
    help: '/shadow に届いた複製を判定して記録します。アップストリームには問い合わせず、課金もしません',
  },
  ShadowShare: { label: '判定する割合', help: '届いた複製のうち判定する割合。残りは読まずに破棄します' },
}
