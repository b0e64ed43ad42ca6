import { section } from './section.ts'

const quota = { min: 0, unit: 'quota' } as const

export const OPERATION_SECTIONS = [
  section('operation', 'general', [
    { key: 'TopUpLink', takesPath: true },
    { key: 'general_setting.docs_link', takesPath: true },
    { key: 'QuotaPerUnit', above: 0, unit: 'quota' },
    { key: 'RetryTimes', min: 0, unit: 'times' },
    'DisplayInCurrencyEnabled',
    'DisplayTokenStatEnabled',
    'DefaultCollapseSidebar',
    'DemoSiteEnabled',
    'SelfUseModeEnabled',
  ]),
  section('operation', 'quota', [
    { key: 'QuotaForNewUser', ...quota },
    { key: 'QuotaForInviter', ...quota },
    { key: 'QuotaForInvitee', ...quota },
    { key: 'PreConsumedQuota', min: 0, unit: 'tokens' },
    'AffEnabled',
  ]),
  section('operation', 'rebate', [
    'RebateEnabled',
    { key: 'RebatePercentage', min: 0, max: 100, unit: 'percent', message: 'rebate' },
  ]),
  section('operation', 'checkIn', [
    'CheckInEnabled',
    { key: 'CheckInQuota', ...quota },
    { key: 'CheckInMaxQuota', ...quota },
  ]),
  section('operation', 'groups', ['GroupRatio', 'UserUsableGroups']),
  section('operation', 'prices', ['ModelPrice', 'ModelRatio', 'CompletionRatio', 'CacheRatio']),
  section('operation', 'fallback', [
    'fallback_pricing_enabled',
    { key: 'fallback_single_price', min: 0, unit: 'dollars' },
    { key: 'fallback_input_ratio', min: 0 },
    { key: 'fallback_completion_ratio', min: 0 },
    'redirect_billing_enabled',
  ]),
  section('operation', 'chats', [{ key: 'Chats', isList: true }]),
  section('operation', 'drawing', [
    'DrawingEnabled',
    'MjNotifyEnabled',
    'MjAccountFilterEnabled',
    'MjForwardUrlEnabled',
    'MjModeClearEnabled',
    'MjActionCheckSuccessEnabled',
    'TaskEnabled',
  ]),
  section('operation', 'words', [
    'CheckSensitiveEnabled',
    'CheckSensitiveOnPromptEnabled',
    'SensitiveWords',
    'StopOnSensitiveEnabled',
    { key: 'StreamCacheQueueLength', min: 0 },
  ]),
  section('operation', 'logs', [
    'LogConsumeEnabled',
    'LogErrorEnabled',
    'LogChatContentEnabled',
    { key: 'LogRetentionDays', min: 0, unit: 'days' },
    { key: 'LogRetentionGigabytes', min: 0, unit: 'gigabytes' },
    { key: 'LogChatContentDays', min: 0, unit: 'days' },
  ]),
  section('operation', 'dashboard', [
    'DataExportEnabled',
    { key: 'DataExportInterval', min: 1, unit: 'minutes' },
    'DataExportDefaultTime',
  ]),
  section('operation', 'monitoring', [
    { key: 'ChannelDisableThreshold', min: 0, unit: 'seconds' },
    { key: 'QuotaRemindThreshold', ...quota },
    'AutomaticDisableChannelEnabled',
    'AutomaticEnableChannelEnabled',
    'AutomaticDisableKeywords',
  ]),
]
