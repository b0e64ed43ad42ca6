/** レート制限とモデルの設定項目の名前と説明。 */
export default {
  ModelRequestRateLimitEnabled: {
    label: 'ユーザーのレート制限を有効にする',
    help: '一定時間内にユーザーが送れるモデルリクエストの数を制限します',
  },
  ModelRequestRateLimitDurationMinutes: { label: '制限の期間', help: '回数を数える時間。0 は無制限' },
  ModelRequestRateLimitCount: { label: '期間内の最大リクエスト数', help: '失敗したリクエストも含みます。0 は無制限' },
  ModelRequestRateLimitSuccessCount: { label: '期間内の最大成功数', help: '成功したリクエストだけを数えます。1 以上' },

  global_pass_through_request_enabled: {
    label: 'リクエストをそのまま転送',
    help: 'OpenAI 形式の本文を書き換えずにアップストリームへ送ります',
  },
  global_hide_upstream_error_enabled: {
    label: 'アップストリームのエラーを隠す',
    help: 'ユーザーには一般的なエラーだけを表示し、原文は見せません',
  },
  global_block_browser_extension_enabled: {
    label: 'ブラウザー拡張機能を拒否',
    help: 'ブラウザー拡張機能からのリクエストを拒否します',
  },

  global_rate_limit_exempt_enabled: {
    label: 'レート制限の適用除外',
    help: '下のグループにはユーザーとトークンのレート制限を適用しません',
  },
  global_rate_limit_exempt_group: { label: 'レート制限を除外するグループ', help: 'グループ名' },
  global_safe_check_exempt_enabled: { label: '禁止語の適用除外', help: '下のグループでは禁止語を確認しません' },
  global_safe_check_exempt_group: { label: '禁止語を除外するグループ', help: 'グループ名' },

  global_auto_retry_enabled: {
    label: '自動再試行を有効にする',
    help: 'アップストリームの失敗時に、ユーザーに気付かれずに再試行します',
  },
  global_auto_retry_count: { label: '再試行の回数', help: '1～10' },
  global_auto_retry_force_channel_switch: {
    label: '再試行では別のチャネルを優先',
    help: '再試行のたびに次の優先度のチャネルに移ります。チャネルが 1 つだけなら同じチャネルで再試行します',
  },
  global_auto_retry_status_codes: {
    label: '再試行するステータスコード',
    help: '5xx、429 のように x を任意の数字として使えます。空欄ならすべて',
  },

  general_setting_ping_interval_enabled: {
    label: 'キープアライブを有効にする',
    help: 'アップストリームを待つ間、定期的に空行を送り、途中のプロキシによる切断を防ぎます',
  },
  general_setting_ping_interval_seconds: { label: 'キープアライブの間隔', help: '1 秒以上' },

  gemini_safety_settings: {
    label: '安全設定',
    help: 'カテゴリーごとのブロックレベル。default は一覧にないカテゴリーに使います',
  },
  gemini_version_settings: { label: 'API バージョン', help: 'モデルごとに設定。default は一覧にないモデルに使います' },
  gemini_supported_imagine_models: {
    label: '画像を生成できるモデル',
    help: 'これらのモデルの回答には画像を含められます',
  },
  gemini_thinking_adapter_enabled: {
    label: '思考の接尾辞を有効にする',
    help: '-thinking、-nothinking の接尾辞で思考を切り替えます。例：gemini-2.5-flash-thinking',
  },
  gemini_thinking_adapter_budget_tokens_percentage: {
    label: '思考予算の割合',
    help: '最大出力のうち思考に使える割合。0.002～1',
  },
  gemini_models_supported_thinking_budget: {
    label: '思考予算に対応するモデル',
    help: 'これらのモデルにだけ思考予算を送ります',
  },

  claude_model_headers_settings: { label: 'ヘッダー', help: 'モデルごとに追加するヘッダー。例：anthropic-beta' },
  claude_default_max_tokens: {
    label: '既定の最大出力',
    help: 'リクエストに指定がないときに使います。default は一覧にないモデルに使います',
  },
  claude_thinking_adapter_enabled: {
    label: '思考の接尾辞を有効にする',
    help: '-thinking の接尾辞で思考を有効にします',
  },
  claude_thinking_adapter_budget_tokens_percentage: {
    label: '思考予算の割合',
    help: '最大出力のうち思考に使える割合。0.1～1',
  },

  global_model_mapping: { label: 'モデルマッピング', help: '仮想モデル名に対応する実モデル' },
}
