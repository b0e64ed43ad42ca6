/** 速率限制與模型設定裡每一項的名稱與說明。 */
export default {
  ModelRequestRateLimitEnabled: { label: '啟用使用者請求速率限制', help: '限制每個使用者在一段時間內的模型請求次數' },
  ModelRequestRateLimitDurationMinutes: { label: '限制週期', help: '按多長時間計算次數；0 表示不限制' },
  ModelRequestRateLimitCount: { label: '週期內最多請求次數', help: '包括失敗的請求；0 表示不限制' },
  ModelRequestRateLimitSuccessCount: { label: '週期內最多成功次數', help: '只計成功的請求，至少為 1' },

  global_pass_through_request_enabled: {
    label: '直接轉送請求',
    help: 'OpenAI 格式的請求內文原樣傳給上游，不做改寫',
  },
  global_hide_upstream_error_enabled: { label: '隱藏上游錯誤', help: '使用者只看到通用的錯誤資訊，看不到上游原文' },
  global_block_browser_extension_enabled: { label: '攔截瀏覽器擴充功能', help: '拒絕來自瀏覽器擴充功能的請求' },

  global_rate_limit_exempt_enabled: { label: '啟用速率豁免', help: '下面的群組不受使用者和權杖的速率限制' },
  global_rate_limit_exempt_group: { label: '速率豁免群組', help: '群組名稱' },
  global_safe_check_exempt_enabled: { label: '啟用封鎖字詞豁免', help: '下面的群組不檢查封鎖字詞' },
  global_safe_check_exempt_group: { label: '封鎖字詞豁免群組', help: '群組名稱' },

  global_auto_retry_enabled: { label: '啟用自動重試', help: '上游失敗時自動再試，使用者不會察覺' },
  global_auto_retry_count: { label: '重試次數', help: '1 到 10' },
  global_auto_retry_force_channel_switch: {
    label: '重試時優先換渠道',
    help: '每次重試先換到下一優先順序的渠道；只有一個渠道時仍會重試它',
  },
  global_auto_retry_status_codes: { label: '重試的狀態碼', help: '可用 x 代表任意數字，如 5xx、429；留空表示全部' },

  general_setting_ping_interval_enabled: {
    label: '啟用保持連線',
    help: '等待上游時定期傳送空行，避免連線被中間的代理斷開',
  },
  general_setting_ping_interval_seconds: { label: '保持連線間隔', help: '至少 1 秒' },

  gemini_safety_settings: { label: '安全設定', help: '依類別設定攔截等級，default 用於沒有列出的類別' },
  gemini_version_settings: { label: 'API 版本', help: '依模型設定，default 用於沒有列出的模型' },
  gemini_supported_imagine_models: { label: '支援產生圖片的模型', help: '這些模型的回答裡可以包含圖片' },
  gemini_thinking_adapter_enabled: {
    label: '啟用思考後綴',
    help: '用 -thinking、-nothinking 後綴開關思考，如 gemini-2.5-flash-thinking',
  },
  gemini_thinking_adapter_budget_tokens_percentage: {
    label: '思考預算比例',
    help: '思考最多佔最大輸出的多少，0.002 到 1',
  },
  gemini_models_supported_thinking_budget: { label: '支援思考預算的模型', help: '只對這些模型傳送思考預算' },

  claude_model_headers_settings: { label: '請求標頭', help: '依模型附加的請求標頭，如 anthropic-beta' },
  claude_default_max_tokens: { label: '預設最大輸出', help: '請求沒有寫明時使用；default 用於沒有列出的模型' },
  claude_thinking_adapter_enabled: { label: '啟用思考後綴', help: '用 -thinking 後綴開啟思考' },
  claude_thinking_adapter_budget_tokens_percentage: {
    label: '思考預算比例',
    help: '思考最多佔最大輸出的多少，0.1 到 1',
  },

  global_model_mapping: { label: '模型對應', help: '虛擬模型名稱對應哪些實際模型' },
}
