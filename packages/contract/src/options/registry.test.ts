import { describe, expect, it } from 'vitest'
import { defaultOptionText, isOptionKey, OPTION_KEYS, optionDefinition } from './index.ts'

/** The options the product is specified to have, by the block that describes them. */
const SPECIFIED = {
  general: `TopUpLink general_setting.docs_link QuotaPerUnit RetryTimes DisplayInCurrencyEnabled
    DisplayTokenStatEnabled DefaultCollapseSidebar DemoSiteEnabled SelfUseModeEnabled`,
  quota: `QuotaForNewUser QuotaForInviter QuotaForInvitee PreConsumedQuota AffEnabled RebateEnabled RebatePercentage`,
  drawing: `DrawingEnabled MjNotifyEnabled MjAccountFilterEnabled MjForwardUrlEnabled MjModeClearEnabled
    MjActionCheckSuccessEnabled TaskEnabled`,
  words: `CheckSensitiveEnabled CheckSensitiveOnPromptEnabled SensitiveWords StopOnSensitiveEnabled StreamCacheQueueLength`,
  logs: `LogConsumeEnabled LogChatContentEnabled LogErrorEnabled`,
  dashboard: `DataExportEnabled DataExportInterval DataExportDefaultTime`,
  monitoring: `ChannelDisableThreshold QuotaRemindThreshold AutomaticDisableChannelEnabled
    AutomaticEnableChannelEnabled AutomaticDisableKeywords`,
  checkIn: `CheckInEnabled CheckInQuota CheckInMaxQuota`,
  site: `ServerAddress WorkerUrl WorkerValidKey ReverseProxyEnabled ReverseProxyProvider`,
  payment: `PayAddress EpayId EpayKey CustomCallbackAddress Price MinTopUp TopupGroupRatio`,
  login: `PasswordLoginEnabled PasswordRegisterEnabled EmailVerificationEnabled RegisterEnabled TurnstileCheckEnabled
    GitHubOAuthEnabled oidc.enabled LinuxDOOAuthEnabled WeChatAuthEnabled TelegramOAuthEnabled`,
  mail: `EmailDomainRestrictionEnabled EmailAliasRestrictionEnabled EmailDomainWhitelist SMTPServer SMTPAccount
    SMTPFrom SMTPPort SMTPToken SMTPSSLEnabled`,
  services: `oidc.client_id oidc.client_secret oidc.well_known oidc.authorization_endpoint oidc.token_endpoint
    oidc.user_info_endpoint GitHubClientId GitHubClientSecret LinuxDOClientId LinuxDOClientSecret
    LinuxDOMinimumTrustLevel WeChatServerAddress WeChatAccountQRCodeImageURL WeChatServerToken TelegramBotName
    TelegramBotToken TurnstileSiteKey TurnstileSecretKey`,
  content: `Notice About HomePageContent Footer SystemName Logo custom_head_html global_css global_js`,
  prices: `ModelPrice ModelRatio CompletionRatio CacheRatio GroupRatio UserUsableGroups Chats fallback_pricing_enabled
    fallback_single_price fallback_input_ratio fallback_completion_ratio redirect_billing_enabled`,
  rateLimit: `ModelRequestRateLimitEnabled ModelRequestRateLimitCount ModelRequestRateLimitSuccessCount
    ModelRequestRateLimitDurationMinutes`,
  gemini: `gemini.safety_settings gemini.version_settings gemini.supported_imagine_models
    gemini.thinking_adapter_enabled gemini.thinking_adapter_budget_tokens_percentage
    gemini.models_supported_thinking_budget`,
  claude: `claude.model_headers_settings claude.default_max_tokens claude.thinking_adapter_enabled
    claude.thinking_adapter_budget_tokens_percentage`,
  relay: `global.pass_through_request_enabled global.hide_upstream_error_enabled
    global.block_browser_extension_enabled global.rate_limit_exempt_enabled global.rate_limit_exempt_group
    global.safe_check_exempt_enabled global.safe_check_exempt_group global.auto_retry_enabled global.auto_retry_count
    global.auto_retry_force_channel_switch global.auto_retry_status_codes general_setting.ping_interval_enabled
    general_setting.ping_interval_seconds global_model_mapping`,
}
const specified = Object.values(SPECIFIED).flatMap((block) => block.split(/\s+/))

describe('the option registry', () => {
  it('has every specified option, and those for billing, rate cards, automatic groups, log retention, exports, outages, files and batches, shadow mode, Stripe, trusted HTML, security and audit', () => {
    const stripe = ['enabled', 'secret_key', 'webhook_secret', 'currency', 'unit_price'].map((name) => `stripe.${name}`)
    const retention = [
      'LogRetentionDays',
      'LogRetentionGigabytes',
      'LogChatContentDays',
      'StoredResponseDays',
      'UsageHourDays',
      'UsageDayDays',
    ]
    const files = ['max_megabytes', 'user_megabytes', 'retention_days'].map((name) => `files.${name}`)
    const batches = ['concurrency', 'batch_concurrency'].map((name) => `batches.${name}`)
    const shadow = ['ShadowEnabled', 'ShadowShare']
    const billing = ['max_output_tokens', 'assumed_output_tokens', 'disconnect_read_seconds'].map(
      (name) => `billing.${name}`,
    )
    expect(OPTION_KEYS.toSorted()).toEqual(
      [
        ...specified,
        ...billing,
        'general_setting.default_language',
        'ModelRates',
        'AutoGroups',
        'DefaultUseAutoGroup',
        ...retention,
        'OutageCredit',
        'UserExportsEnabled',
        ...files,
        ...batches,
        ...shadow,
        ...stripe,
        'content.trusted_html_enabled',
        'content.announcement_modal_enabled',
        'security.new_device_mail_enabled',
        'security.auth_failure_alert_threshold',
        'audit.syslog_address',
        'audit.webhook_url',
        'audit.webhook_secret',
        'security.console_allowed_addresses',
        'security.require_two_factor_for_admins',
        'security.session_days',
        'security.session_idle_minutes',
      ].toSorted(),
    )
  })

  it('rejects unknown keys and names of Object.prototype', () => {
    for (const key of ['FileUploadPermission', 'ImageDownloadPermission', 'constructor', '__proto__']) {
      expect(isOptionKey(key), key).toBe(false)
    }
  })

  it('marks exactly the credentials as secret', () => {
    const secrets = OPTION_KEYS.filter((key) => optionDefinition(key).secret)

    expect(secrets.toSorted()).toEqual([
      'EpayKey',
      'GitHubClientSecret',
      'LinuxDOClientSecret',
      'SMTPToken',
      'TelegramBotToken',
      'TurnstileSecretKey',
      'WeChatServerToken',
      'WorkerValidKey',
      'audit.webhook_secret',
      'oidc.client_secret',
      'stripe.secret_key',
      'stripe.webhook_secret',
    ])
  })

  it('parses the text of every default back', () => {
    const defaults = OPTION_KEYS.map((key) => [key, optionDefinition(key).default])
    const read = OPTION_KEYS.map((key) => [key, optionDefinition(key).parse(defaultOptionText(key))])

    expect(Object.fromEntries(read)).toEqual(Object.fromEntries(defaults))
  })

  it.each([
    ['QuotaPerUnit', '500000'],
    ['QuotaForNewUser', '0'],
    ['PreConsumedQuota', '500'],
    ['AffEnabled', 'true'],
    ['MjForwardUrlEnabled', 'true'],
    ['MjNotifyEnabled', 'false'],
    ['DataExportInterval', '5'],
    ['DataExportDefaultTime', 'hour'],
    ['ChannelDisableThreshold', '5'],
    ['QuotaRemindThreshold', '500000'],
    ['CheckInQuota', '1000'],
    ['CheckInMaxQuota', '0'],
    ['LogRetentionDays', '180'],
    ['LogRetentionGigabytes', '0'],
    ['LogChatContentDays', '30'],
    ['StoredResponseDays', '30'],
    ['ModelRequestRateLimitCount', '0'],
    ['ModelRequestRateLimitSuccessCount', '1000'],
    ['ModelRequestRateLimitDurationMinutes', '1'],
    ['gemini.thinking_adapter_budget_tokens_percentage', '0.6'],
    ['claude.thinking_adapter_enabled', 'true'],
    ['claude.thinking_adapter_budget_tokens_percentage', '0.8'],
    ['claude.default_max_tokens', '{"default":8192}'],
    ['claude.model_headers_settings', '{}'],
    ['gemini.version_settings', '{"default":"v1beta","gemini-1.0-pro":"v1beta"}'],
    ['global.rate_limit_exempt_group', 'bulk-ok'],
    ['global.safe_check_exempt_group', 'nsfw-ok'],
    ['global.auto_retry_count', '3'],
    ['global.auto_retry_status_codes', '5xx,4xx'],
    ['general_setting.ping_interval_seconds', '60'],
    ['fallback_single_price', ''],
    ['GroupRatio', '{"default":1,"vip":1,"svip":1}'],
    ['TopupGroupRatio', '{"default":1,"vip":1,"svip":1}'],
    ['Price', '7.3'],
    ['MinTopUp', '1'],
    ['SMTPPort', '587'],
    ['ReverseProxyProvider', 'nginx'],
    ['PasswordLoginEnabled', 'true'],
    [
      'EmailDomainWhitelist',
      'gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com',
    ],
    ['ServerAddress', ''],
    ['SystemName', 'Tidegate'],
  ] as const)('has the default of %s: %j', (key, text) => {
    expect(defaultOptionText(key)).toBe(text)
  })
})
