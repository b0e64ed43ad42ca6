/** 營運設定裡每一項的名稱與說明。 */
export default {
  TopUpLink: { label: '儲值連結', help: '出售兌換碼的頁面；錢包裡的「取得兌換碼」會開啟它' },
  general_setting_docs_link: { label: '文件連結', help: '頂部導覽裡的文件入口，留空則不顯示' },
  general_setting_default_language: {
    label: '預設語言',
    help: '請求未指明語言（沒有 Accept-Language）時，錯誤訊息和郵件使用的語言。自動：/v1 用英文，主控台介面用中文',
  },
  QuotaPerUnit: { label: '單位美元配額', help: '1 美元等於多少配額。修改後，所有餘額和價格的美元金額都會隨之改變' },
  RetryTimes: { label: '失敗重試次數', help: '未開啟自動重試時，換渠道再試的次數，0 表示不重試' },
  DisplayInCurrencyEnabled: { label: '以美元顯示配額', help: '關閉後頁面上直接顯示配額數字' },
  DisplayTokenStatEnabled: {
    label: '依權杖查詢餘額',
    help: '帳單查詢 API 回傳權杖自己的配額，而不是使用者的餘額',
  },
  DefaultCollapseSidebar: { label: '預設收合側邊欄', help: '新訪客首次開啟主控台時側邊欄的狀態' },
  DemoSiteEnabled: { label: '示範網站', help: '除超級管理員外，所有人只能看不能改' },
  SelfUseModeEnabled: { label: '自用模式', help: '只給自己用：關閉註冊，沒有設定價格的模型也可以使用' },

  QuotaForNewUser: { label: '新使用者初始配額', help: '註冊時贈送' },
  QuotaForInviter: { label: '邀請人獎勵配額', help: '受邀者註冊後贈送給邀請人' },
  QuotaForInvitee: { label: '受邀者獎勵配額', help: '透過邀請註冊時額外贈送' },
  PreConsumedQuota: { label: '預扣 token 數', help: '請求沒有寫明最大輸出時，先按這麼多 token 預留配額' },
  billing_max_output_tokens: { label: '最大輸出', help: '任何請求的輸出 token 都不能超過此值；0 表示不限制' },
  billing_assumed_output_tokens: {
    label: '預設預估輸出',
    help: '請求沒有輸出上限且模型的最大輸出未知時，依此 token 數預留配額',
  },
  billing_disconnect_read_seconds: {
    label: '中斷連線後繼續讀取',
    help: '用戶端中斷連線後，為取得用量繼續讀取上游回應的最長時間；0 表示立即停止',
  },
  AffEnabled: { label: '啟用邀請', help: '顯示邀請連結，並發放邀請獎勵' },

  RebateEnabled: { label: '啟用分潤', help: '受邀者儲值或兌換後，邀請人依比例獲得配額' },
  RebatePercentage: { label: '分潤百分比', help: '0 到 100，最多兩位小數' },

  CheckInEnabled: { label: '啟用簽到', help: '使用者每天可以領取一次配額' },
  CheckInQuota: { label: '簽到獎勵配額', help: '固定獎勵；設定了最大獎勵時為最小值' },
  CheckInMaxQuota: { label: '簽到最大獎勵', help: '大於簽到獎勵時，在兩者之間隨機發放；0 表示不隨機' },

  Chats: {
    label: '聊天連結',
    help: '依順序排列的清單，每項一個名稱和一個連結；{key} 與 {address} 會替換為權杖和伺服器位址',
  },

  GroupRatio: { label: '群組倍率', help: '鍵就是網站有哪些群組，值是該群組價格的乘數' },
  UserUsableGroups: { label: '使用者可選群組', help: '所有使用者都可以選用的群組，值是展示給使用者的說明' },
  AutoGroups: {
    label: '自動群組',
    help: '依順序排列的清單。群組為 auto 的權杖依序使用其中使用者可用、且提供所請求模型的第一個群組，並按該群組的倍率計費',
  },
  DefaultUseAutoGroup: { label: '新權杖預設使用 auto', help: '建立權杖時沒有選擇群組，則使用 auto 群組' },

  ModelRates: { label: '價目卡', help: '按模型設定每 100 萬 token 的美元價格，可含階梯與附加費用，優先於其他所有價格' },
  ModelPrice: { label: '模型固定價格', help: '每次呼叫多少美元；設定後該模型不再按 token 計費' },
  ModelRatio: { label: '模型倍率', help: '倍率 1 相當於每百萬輸入 token 2 美元' },
  CompletionRatio: { label: '模型補全倍率', help: '輸出價格是輸入價格的多少倍' },
  CacheRatio: { label: '快取倍率', help: '命中快取的輸入價格是一般輸入價格的多少倍' },

  fallback_pricing_enabled: {
    label: '啟用備援價格',
    help: '沒有設定價格的模型按下面的價格計費。要在兩種計費方式之間切換，請先關閉並儲存',
  },
  fallback_single_price: { label: '備援固定價格', help: '每次呼叫多少美元；與下面兩個倍率二選一' },
  fallback_input_ratio: { label: '備援輸入倍率', help: '與備援補全倍率一起填寫' },
  fallback_completion_ratio: { label: '備援補全倍率', help: '與備援輸入倍率一起填寫' },
  redirect_billing_enabled: {
    label: '依請求的模型計費',
    help: '渠道把模型重新導向到別的模型時，仍依使用者請求的名稱計費',
  },

  DrawingEnabled: { label: '啟用繪圖', help: '側邊欄顯示繪圖記錄' },
  MjNotifyEnabled: { label: '允許上游回呼', help: '會讓上游知道本站伺服器的位址；關閉時會移除請求裡的回呼位址' },
  MjAccountFilterEnabled: { label: '允許指定帳號篩選', help: '用戶端可以傳入帳號篩選參數' },
  MjForwardUrlEnabled: { label: '圖片位址改為本站', help: '上游圖片位址替換為本站的轉送位址' },
  MjModeClearEnabled: { label: '去除速度參數', help: '移除提示詞裡的 --fast、--relax、--turbo' },
  MjActionCheckSuccessEnabled: { label: '後續操作需要圖片完成', help: '放大、變換等操作要等圖片產生成功' },
  TaskEnabled: { label: '啟用非同步任務', help: '側邊欄顯示任務記錄' },

  CheckSensitiveEnabled: { label: '啟用封鎖字詞', help: '關閉後下面的檢查都不進行' },
  CheckSensitiveOnPromptEnabled: { label: '檢查提示詞', help: '含有封鎖字詞的請求會被拒絕，不會傳往上游' },
  SensitiveWords: { label: '封鎖字詞', help: '每行一個，不區分大小寫；以 regex: 開頭的行是規則運算式' },
  StopOnSensitiveEnabled: { label: '輸出遇到封鎖字詞時停止', help: '為相容而保留：目前不檢查輸出內容' },
  StreamCacheQueueLength: { label: '串流快取佇列長度', help: '為相容而保留：目前不檢查輸出內容' },

  LogConsumeEnabled: { label: '寫入消費記錄', help: '關閉後不再寫入呼叫明細；用量合計和扣費照常' },
  LogChatContentEnabled: { label: '記錄對話內容', help: '記錄裡儲存提示詞和回答，使用者會看到提示' },
  LogErrorEnabled: { label: '寫入錯誤記錄', help: '失敗和被拒絕的請求也寫入記錄，被拒絕的保留 7 天' },
  LogRetentionDays: { label: '記錄保留天數', help: '更早的記錄會自動刪除，用量合計不受影響；0 表示一直保留' },
  LogRetentionGigabytes: { label: '記錄佔用上限', help: '超過後從最早的一天開始刪除；0 表示不限' },
  LogChatContentDays: { label: '對話內容保留天數', help: '可以比記錄更短；0 表示與記錄一樣久' },

  DataExportEnabled: { label: '啟用儀表板', help: '顯示用量圖表；關閉只是不顯示，用量照常統計' },
  DataExportInterval: { label: '資料寫入間隔', help: '為相容而保留：用量隨每次結算寫入，無需等待' },
  DataExportDefaultTime: { label: '預設時間粒度', help: '開啟儀表板時圖表的間隔' },

  ChannelDisableThreshold: {
    label: '最長回應時間',
    help: '開啟自動停用後，測試全部渠道時比這更慢的渠道會被停用；0 表示不因慢而停用',
  },
  QuotaRemindThreshold: { label: '餘額提醒門檻', help: '使用者沒有自行設定時，餘額低於它就提醒；0 表示不提醒' },
  AutomaticDisableChannelEnabled: { label: '失敗時自動停用渠道', help: '上游回傳致命錯誤時停用該渠道' },
  AutomaticEnableChannelEnabled: { label: '成功時自動啟用渠道', help: '自動停用的渠道測試成功後重新啟用' },
  AutomaticDisableKeywords: {
    label: '自動停用關鍵字',
    help: '每行一個，不區分大小寫；上游錯誤中短時間內出現兩次，或測試全部渠道時出現一次，就停用該渠道',
  },

  ShadowEnabled: { label: '影子模式', help: '開啟後，/shadow 下的請求副本會被判斷並記錄：不請求上游，不扣費' },
  ShadowShare: { label: '抽查比例', help: '收到的副本中有多少會被判斷，其餘直接丟棄' },
}
