import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { Quota, UnixSeconds } from '../../values.ts'

/** Public settings that the console needs before a login. */
export const Status = z.object({
  version: z.string(),
  start_time: UnixSeconds,
  /** If false, the console redirects every path to `/setup`. */
  setup: z.boolean(),
  system_name: z.string(),
  logo: z.string(),
  footer_html: z.string(),
  /** Scripts in HTML of the operator run in a frame. */
  trusted_html_enabled: z.boolean(),
  /** A new announcement opens in a dialog instead of a bar. */
  announcement_modal_enabled: z.boolean(),
  server_address: z.string(),
  docs_link: z.string(),
  top_up_link: z.string(),
  quota_per_unit: z.number(),
  display_in_currency: z.boolean(),
  enable_drawing: z.boolean(),
  enable_task: z.boolean(),
  enable_user_exports: z.boolean(),
  enable_data_export: z.boolean(),
  data_export_default_time: z.enum(['hour', 'day', 'week']),
  default_collapse_sidebar: z.boolean(),
  mj_notify_enabled: z.boolean(),
  enable_batch_update: z.boolean(),
  chats: z.array(z.record(z.string(), z.string())),
  /** URLs of the first and second chat link; blank if missing. */
  chat_link: z.string(),
  chat_link2: z.string(),
  price: z.number(),
  min_topup: z.number(),
  enable_online_topup: z.boolean(),
  aff_enabled: z.boolean(),
  check_in_enabled: z.boolean(),
  /** The same, under the name that tools for new-api read. */
  checkin_enabled: z.boolean(),
  log_chat_content_enabled: z.boolean(),
  demo_site_enabled: z.boolean(),
  self_use_mode_enabled: z.boolean(),
  /** Whether these are enabled: password login, registration, registration with a password. */
  password_login: z.boolean(),
  register_enabled: z.boolean(),
  password_register: z.boolean(),
  /** Credit of a new account; 0 if there is none. */
  signup_quota: Quota,
  email_verification: z.boolean(),
  turnstile_check: z.boolean(),
  turnstile_site_key: z.string(),
  github_oauth: z.boolean(),
  github_client_id: z.string(),
  oidc_enabled: z.boolean(),
  oidc_client_id: z.string(),
  oidc_authorization_endpoint: z.string(),
  linuxdo_oauth: z.boolean(),
  linuxdo_client_id: z.string(),
  linuxdo_minimum_trust_level: z.int(),
  wechat_login: z.boolean(),
  wechat_qrcode: z.string(),
  telegram_oauth: z.boolean(),
  telegram_bot_name: z.string(),
})
export type Status = z.output<typeof Status>

export const getStatus = endpoint({
  method: 'GET',
  path: '/api/status',
  access: 'public',
  summary: 'Returns the public settings that the console needs before a login.',
  reply: Status,
  errors: [],
})

export const testStatus = endpoint({
  method: 'GET',
  path: '/api/status/test',
  access: 'admin',
  summary: 'Checks whether the database responds; 503 if it does not.',
  reply: z.undefined(),
  errors: ['service_unavailable'],
})
