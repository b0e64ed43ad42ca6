import { z } from 'zod'
import { type CardProblem, cardProblems } from '../card-problems.ts'
import { RateCard } from '../rate-card.ts'
import { MAX_QUOTA } from '../values.ts'
import { SCHEDULES } from './default-prices/catalogue.ts'
import { DEFAULT_PRICES } from './default-prices/default-prices.ts'
import {
  choice,
  flag,
  integer,
  json,
  lines,
  link,
  namedMap,
  type NamedMap,
  namedMapSchema,
  number,
  optionalNumber,
} from './definitions.ts'

const general = { tab: 'operation', section: 'general' } as const

export const generalOptions = {
  /** Link to a shop for redemption codes. */
  TopUpLink: link({ ...general, guard: 'reauth' }),
  'general_setting.docs_link': link(general),
  /** Language of errors and mails for callers without `Accept-Language`. `auto`: Chinese on /api, English on /v1. */
  'general_setting.default_language': choice(general, ['auto', 'zh', 'en'], 'auto'),
  QuotaPerUnit: number(general, 500_000, { above: 0 }),
  /** Used while automatic retry is off. */
  RetryTimes: integer(general, 2, { min: 0 }),
  DisplayInCurrencyEnabled: flag(general, true),
  DisplayTokenStatEnabled: flag(general, true),
  DefaultCollapseSidebar: flag(general, false),
  DemoSiteEnabled: flag(general, false),
  /** Disables registration. */
  SelfUseModeEnabled: flag({ ...general, guard: 'reauth' }, false),
}

const quota = { tab: 'operation', section: 'quota' } as const
const rebate = { tab: 'operation', section: 'rebate' } as const
const checkIn = { tab: 'operation', section: 'check-in' } as const

const amount = { min: 0, max: MAX_QUOTA }
const tokens = { min: 0, max: 10_000_000 }

/** Quota that is granted or reserved. */
export const quotaOptions = {
  QuotaForNewUser: integer(quota, 0, amount),
  QuotaForInviter: integer(quota, 0, amount),
  QuotaForInvitee: integer(quota, 0, amount),
  /** Minimum reservation for a request without an output limit, in tokens. */
  PreConsumedQuota: integer(quota, 500, amount),
  /** What a user with credit may spend beyond leases while the database is away, in each gateway process; 0 for nothing. */
  OutageCredit: integer(quota, 0, amount),
  /** Maximum output tokens of a request; 0 for no limit. */
  'billing.max_output_tokens': integer(quota, 0, tokens),
  /** Output tokens to reserve for a request without an output limit, to a model whose maximum is unknown. */
  'billing.assumed_output_tokens': integer(quota, 16_384, { min: 1, max: 10_000_000 }),
  /** How long to read a response for its usage after the client has disconnected; 0 to stop at once. */
  'billing.disconnect_read_seconds': integer(quota, 30, { min: 0, max: 600 }),
  AffEnabled: flag(quota, true),

  RebateEnabled: flag(rebate, false),
  /** Whole basis points, so that the share is computed in integers. */
  RebatePercentage: number(rebate, 0, { min: 0, max: 100, step: 0.01 }),

  CheckInEnabled: flag(checkIn, false),
  /** The reward, or its minimum if the maximum is larger. */
  CheckInQuota: integer(checkIn, 1000, amount),
  CheckInMaxQuota: integer(checkIn, 0, amount),
}

const chats = { tab: 'operation', section: 'chats', guard: 'reauth' } as const

/** Any scheme, because apps register their own, except schemes that execute code. */
const linkTemplate = z
  .string()
  .max(2048)
  .regex(/^[a-z][a-z0-9+.-]*:/i)
  .refine((template) => !/^(javascript|data|vbscript|blob|file):/i.test(template), {
    message: 'this kind of link is not allowed',
    params: { zh: '不允许这种链接' },
  })

const namedLink = namedMapSchema(linkTemplate).refine((entry) => Object.keys(entry).length === 1, {
  message: 'each entry has exactly one name',
  params: { zh: '每一项只能有一个名称' },
})

/** Only links that keep the API token on the user's machine: apps, and a page that reads it from the fragment. */
const defaultLinks: NamedMap<string>[] = [
  namedMap({ NextChat: 'https://app.nextchat.dev/#/?settings={"key":"{key}","url":"{address}"}' }),
  namedMap({ 'AMA 问天': 'ama://set-api-key?server={address}&key={key}' }),
  namedMap({ OpenCat: 'opencat://team/join?domain={address}&token={key}' }),
]

export const chatOptions = {
  /**
   * Objects with one name each, in the order of the menu. The console fills in `{key}` and `{address}`: links receive
   * API tokens.
   */
  Chats: json<NamedMap<string>[]>(chats, z.array(namedLink).max(100), defaultLinks),
}

const groups = { tab: 'operation', section: 'groups' } as const

/** Without commas, because channels list their groups separated by commas. */
export const GROUP_NAME = /^(?!\s)[^,\p{Cc}]{1,64}(?<!\s)$/u

export const groupOptions = {
  /** Its keys are the groups of the site. */
  GroupRatio: json(
    groups,
    namedMapSchema(z.number().nonnegative(), GROUP_NAME),
    namedMap({ default: 1, vip: 1, svip: 1 }),
  ),
  /** Groups every user may choose, with their descriptions. */
  UserUsableGroups: json(
    groups,
    namedMapSchema(z.string().max(256), GROUP_NAME),
    namedMap({ default: '默认分组', vip: 'VIP 分组' }),
  ),
  /** Groups that tokens of the group `auto` try in order, if their owner may use them. */
  AutoGroups: json<readonly string[]>(groups, z.array(z.string().regex(GROUP_NAME)).max(100), []),
  /** New tokens get the group `auto` when no group is chosen. */
  DefaultUseAutoGroup: flag(groups, false),
}

const prices = { tab: 'operation', section: 'prices' } as const
const fallback = { tab: 'operation', section: 'fallback-prices' } as const

const CARD_PROBLEMS_ZH: Readonly<Record<CardProblem['code'], string>> = {
  card_empty: '既没有单价也没有费用',
  output_missing: '有阶梯但没有输出单价',
  condition_missing: '阶梯没有条件',
  effect_missing: '阶梯须填写单价或倍数其中之一',
  multiplier_conditions: '倍数只能有一个条件，且不能是输入长度；请改用单价',
  schedule_unknown: '未知的时间表',
  tiers_ambiguous: '缺少同时满足这些条件的阶梯',
}

const cards = namedMapSchema(
  RateCard.omit({ effective: true, until: true }).superRefine((card, context) => {
    for (const { tier, code, message } of cardProblems(card, SCHEDULES)) {
      const params = { zh: CARD_PROBLEMS_ZH[code] }
      context.addIssue({ code: 'custom', message, params, path: tier === undefined ? [] : ['tiers', tier] })
    }
  }),
)

const nonNegativeNumbers = namedMapSchema(z.number().nonnegative())

/** Prices of models. Ratio 1 is 2 USD per million input tokens. */
export const priceOptions = {
  /** Rate cards in USD with tiers and fees, by model. They take precedence over other prices. */
  ModelRates: json(prices, cards, namedMap({})),
  /** USD per request; a model with a price is not billed by tokens. */
  ModelPrice: json(prices, nonNegativeNumbers, namedMap(DEFAULT_PRICES.modelPrice)),
  ModelRatio: json(prices, nonNegativeNumbers, namedMap(DEFAULT_PRICES.modelRatio)),
  /** Output price as a multiple of the input price. */
  CompletionRatio: json(prices, nonNegativeNumbers, namedMap(DEFAULT_PRICES.completionRatio)),
  /** Price of cached input as a multiple of the input price. */
  CacheRatio: json(prices, nonNegativeNumbers, namedMap(DEFAULT_PRICES.cacheRatio)),

  fallback_pricing_enabled: flag(fallback, false),
  fallback_single_price: optionalNumber(fallback, { min: 0 }),
  fallback_input_ratio: optionalNumber(fallback, { min: 0 }),
  fallback_completion_ratio: optionalNumber(fallback, { min: 0 }),
  /** Bills by the requested model, not by the model it was redirected to. */
  redirect_billing_enabled: flag(fallback, false),
}

const tasks = { tab: 'operation', section: 'drawing' } as const

export const taskOptions = {
  DrawingEnabled: flag(tasks, true),
  /** Allows callbacks of providers, which reveals the address of this server to them. */
  MjNotifyEnabled: flag(tasks, false),
  MjAccountFilterEnabled: flag(tasks, false),
  MjForwardUrlEnabled: flag(tasks, true),
  MjModeClearEnabled: flag(tasks, false),
  MjActionCheckSuccessEnabled: flag(tasks, true),
  TaskEnabled: flag(tasks, true),
}

const sensitiveWords = { tab: 'operation', section: 'sensitive-words' } as const

export const contentCheckOptions = {
  CheckSensitiveEnabled: flag(sensitiveWords, true),
  CheckSensitiveOnPromptEnabled: flag(sensitiveWords, true),
  /** A line `regex:…` is a regular expression. Invalid ones are skipped; the other lines still apply. */
  SensitiveWords: lines(sensitiveWords, ['test_sensitive']),
  /** Without effect: output is not filtered. The form shows it. */
  StopOnSensitiveEnabled: flag(sensitiveWords, true),
  StreamCacheQueueLength: integer(sensitiveWords, 0, { min: 0 }),
}

const logs = { tab: 'operation', section: 'logs' } as const
const dashboard = { tab: 'operation', section: 'dashboard' } as const

/** What is logged about requests, and for how long. */
export const recordOptions = {
  LogConsumeEnabled: flag(logs, true),
  LogChatContentEnabled: flag(logs, false),
  LogErrorEnabled: flag(logs, true),
  /** Users can export their own requests to other systems. */
  UserExportsEnabled: flag(logs, false),
  /** 0 keeps the log for ever. */
  LogRetentionDays: integer(logs, 180, { min: 0 }),
  /** The oldest days are deleted when the log is larger; 0 means no limit. */
  LogRetentionGigabytes: integer(logs, 0, { min: 0 }),
  /** After this many days, hourly usage sums become daily ones, and after more days monthly ones; 0 means never. */
  UsageHourDays: integer(logs, 90, { min: 0 }),
  UsageDayDays: integer(logs, 730, { min: 0 }),
  /** Retention of chat contents; 0 means as long as the log rows. */
  LogChatContentDays: integer(logs, 30, { min: 0 }),
  /** Retention of responses of the Responses API; 0 stores none. */
  StoredResponseDays: integer(logs, 30, { min: 0, max: 3650 }),

  DataExportEnabled: flag(dashboard, true),
  /** Minutes. */
  DataExportInterval: integer(dashboard, 5, { min: 1 }),
  DataExportDefaultTime: choice(dashboard, ['hour', 'day', 'week'], 'hour'),
}

const batches = { tab: 'operation', section: 'batches' } as const
const megabytes = { min: 0, max: 1_048_576 }
const linesAtOnce = { min: 1, max: 10_000 }

/** Files of users, and batches of requests. */
export const batchOptions = {
  /** The largest file, in megabytes. */
  'files.max_megabytes': integer(batches, 512, { min: 1, max: 10_240 }),
  /** All files of a user together, in megabytes; 0 accepts no files. */
  'files.user_megabytes': integer(batches, 2_048, megabytes),
  /** Files are deleted after these days; 0 keeps them until their user deletes them. */
  'files.retention_days': integer(batches, 30, { min: 0, max: 3_650 }),
  /** How many lines of all batches run at the same time. */
  'batches.concurrency': integer(batches, 32, linesAtOnce),
  /** How many lines of one batch run at the same time. */
  'batches.batch_concurrency': integer(batches, 16, linesAtOnce),
}

const monitoring = { tab: 'operation', section: 'monitoring' } as const

export const monitoringOptions = {
  /** Seconds; 0 does not disable slow channels. */
  ChannelDisableThreshold: number(monitoring, 5, { min: 0 }),
  /** Default balance for low balance warnings; 0 disables them. The console shows the same warning. */
  QuotaRemindThreshold: integer(monitoring, 500_000, { min: 0, max: MAX_QUOTA }),
  AutomaticDisableChannelEnabled: flag(monitoring, false),
  AutomaticEnableChannelEnabled: flag(monitoring, false),
  /** Matched anywhere in an upstream error, ignoring case. */
  AutomaticDisableKeywords: lines(monitoring, [
    'Your credit balance is too low',
    'This organization has been disabled.',
    'You exceeded your current quota',
    'Permission denied',
    'The security token included in the request is invalid',
    'Operation not allowed',
    'Your account is not authorized',
  ]),
}

const shadow = { tab: 'operation', section: 'shadow' } as const

export const shadowOptions = {
  /** Evaluates copies of requests that another gateway serves, below `/shadow`. If off, these paths do not exist. */
  ShadowEnabled: flag(shadow, false),
  /** Percentage of copies to evaluate; the others are rejected unread. */
  ShadowShare: integer(shadow, 100, { min: 0, max: 100 }),
}

const requests = { tab: 'ratelimit', section: 'model-requests' } as const

/** Rate limits of model requests per user. */
export const rateLimitOptions = {
  ModelRequestRateLimitEnabled: flag(requests, false),
  /** All requests, also failed ones; 0 means no limit. */
  ModelRequestRateLimitCount: integer(requests, 0, { min: 0 }),
  ModelRequestRateLimitSuccessCount: integer(requests, 1000, { min: 1 }),
  /** 0 means no limit. */
  ModelRequestRateLimitDurationMinutes: integer(requests, 1, { min: 0 }),
}
