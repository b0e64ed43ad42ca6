import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { IsoTime, Quota, text } from '../../values.ts'
import { TurnstileQuery } from '../auth/registration.ts'
import { DisplayName, NewPasswordOrBlank, UsernameOrBlank } from './users.ts'

/** Blank fields do not change. */
export const SelfEdit = z.object({
  username: UsernameOrBlank.default(''),
  display_name: DisplayName.default(''),
  password: NewPasswordOrBlank.default(''),
  /** Required for a new password, unless the session re-authenticated within ten minutes. */
  original_password: z.string().default(''),
})
export type SelfEdit = z.output<typeof SelfEdit>

export const updateSelf = endpoint({
  method: 'PUT',
  path: '/api/user/self',
  access: 'user',
  enrolment: true,
  summary: 'Changes your name, display name or password. A new password ends all sessions and renews the current one.',
  body: SelfEdit,
  reply: z.undefined(),
  errors: [
    'username_taken',
    'username_reserved',
    'username_confusable',
    'password_common',
    'password_like_name',
    'username_changed_recently',
    'original_password_required',
    'original_password_wrong',
  ],
})

export const deleteSelf = endpoint({
  method: 'DELETE',
  path: '/api/user/self',
  access: 'user',
  summary: 'Deregisters your account: ends its sessions and revokes its tokens.',
  proof: true,
  /** The user name typed as confirmation, if the form sends it. */
  query: z.object({ username: z.string().optional() }),
  reply: z.undefined(),
  errors: ['root_protected', 'account_name_differs'],
})

export const getInviteCode = endpoint({
  method: 'GET',
  path: '/api/user/aff',
  access: 'user',
  summary: 'Returns your invite code.',
  reply: z.string(),
  errors: [],
})

export const transferEarnings = endpoint({
  method: 'POST',
  path: '/api/user/aff_transfer',
  access: 'user',
  summary: 'Transfers invite earnings to your balance.',
  // Accepts any number: the ledger rejects invalid amounts and reports the minimum.
  body: z.object({ quota: z.number().default(0) }),
  reply: z.undefined(),
  done: { zh: '划转成功', en: 'The earnings were moved to your balance.' },
  errors: ['quota_invalid', 'aff_min', 'aff_not_enough', 'balance_limit'],
})

export const getCheckInStatus = endpoint({
  method: 'GET',
  path: '/api/user/check_in_status',
  access: 'user',
  summary: 'Returns whether the daily reward is available, and when the next day begins.',
  reply: z.object({ can_check_in: z.boolean(), next_check_in_at: IsoTime.nullable() }),
  errors: [],
})

export const checkIn = endpoint({
  method: 'POST',
  path: '/api/user/check_in',
  access: 'user',
  summary: 'Claims the daily reward.',
  query: TurnstileQuery,
  reply: z.object({ quota: Quota }),
  done: { zh: '签到成功', en: 'Checked in.' },
  errors: [
    'checkin_off',
    'checkin_misconfigured',
    'checkin_done',
    'balance_limit',
    'turnstile_empty',
    'turnstile_failed',
    'turnstile_unavailable',
  ],
})

/** The same as `getCheckInStatus` in the format of new-api. */
export const getCheckInMonth = endpoint({
  method: 'GET',
  path: '/api/user/checkin',
  access: 'user',
  summary: 'Same as `check_in_status`, in the format of new-api.',
  reply: z.object({ enabled: z.boolean(), stats: z.object({ checked_in_today: z.boolean() }) }),
  errors: [],
})

export const checkInCompatible = endpoint({
  ...checkIn,
  path: '/api/user/checkin',
  summary: 'Same as `check_in`, in the format of new-api.',
  reply: z.object({ quota_awarded: Quota }),
})

/** Low balance notifications, and two options for requests. Missing fields do not change. */
export const SettingEdit = z.object({
  notify_type: z.string().optional(),
  quota_warning_threshold: z.unknown().meta({ type: 'integer', minimum: 1 }).optional(),
  webhook_url: z.string().optional(),
  /**
   * Blank keeps the stored secret, null deletes it. It is never shown again; using it for another URL needs
   * re-authentication.
   */
  webhook_secret: text({ max: 256 }).nullish(),
  /** Whether webhooks also send the secret as a bearer token. Off for a new secret: signatures do not reveal it. */
  webhook_bearer: z.boolean().optional(),
  /** Blank means the email address of the account. */
  notification_email: z.string().optional(),
  /** Code for a new address other than that of the account; `/api/verification` mails it. */
  notification_email_code: z.string().default(''),
  accept_unset_model_ratio_model: z.boolean().optional(),
  show_ip_in_logs: z.boolean().optional(),
})
export type SettingEdit = z.output<typeof SettingEdit>

export const updateSetting = endpoint({
  method: 'PUT',
  path: '/api/user/setting',
  access: 'user',
  summary: 'Changes your notification settings and request options.',
  body: SettingEdit,
  reply: z.undefined(),
  errors: [
    'notify_type_invalid',
    'threshold_invalid',
    'webhook_required',
    'webhook_invalid',
    'egress_not_allowed',
    'webhook_secret_invalid',
    'email_invalid',
    'notification_code_required',
    'code_invalid',
    'proof_required',
  ],
})
