/** Refusals of programs that call the control plane: their tokens and the keys that make a call count once. */
export const automationErrors = {
  automation_token_expired: { status: 401, zh: '自动化令牌已过期', en: 'The automation token has expired.' },
  automation_token_address: {
    status: 403,
    zh: '此自动化令牌不能在当前地址使用：{address}',
    en: 'The automation token may not be used from this address: {address}',
  },
  scope_missing: {
    status: 403,
    zh: '此自动化令牌缺少权限：{scope}',
    en: 'The automation token lacks this scope: {scope}',
  },
  not_for_tokens: {
    status: 403,
    zh: '自动化令牌不能进行此操作，请登录后进行',
    en: 'An automation token cannot do this. Log in instead.',
  },
  scopes_required: { status: 200, zh: '请至少选择一项权限', en: 'Choose at least one scope.' },
  scope_unknown: {
    status: 200,
    zh: '权限不存在或超出您的角色：{scope}',
    en: 'This scope does not exist or is above your role: {scope}',
  },
  edit_conflict: {
    status: 412,
    zh: '内容在您打开之后已被修改，请重新加载后再保存',
    en: 'This was changed after you loaded it. Load it again, then repeat your change.',
  },
  idempotency_key_invalid: {
    status: 400,
    zh: 'Idempotency-Key 须为 1 到 255 个可见 ASCII 字符',
    en: 'Idempotency-Key needs 1 to 255 visible ASCII characters.',
  },
  idempotency_key_reused: {
    status: 422,
    zh: '此 Idempotency-Key 已用于另一个内容不同的请求，请换一个',
    en: 'This Idempotency-Key was used for a request with other contents. Choose another one.',
  },
  idempotency_in_progress: {
    status: 409,
    zh: '使用此 Idempotency-Key 的请求仍在处理中，请稍后重试',
    en: 'A request with this Idempotency-Key is still under way. Try again shortly.',
  },
  idempotency_unfinished: {
    status: 409,
    zh: '使用此 Idempotency-Key 的请求中途中断，结果未知：请先查看是否已生效，再换一个键重试',
    en: 'The request with this Idempotency-Key was cut off and may have taken effect. Look first, then use another key.',
  },
} as const
