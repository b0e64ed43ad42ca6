/** Errors of messages, of notification settings and of deliveries. */
export const messagingErrors = {
  message_not_found: { status: 200, zh: '消息不存在或无权访问', en: 'The message does not exist.' },
  message_title_required: { status: 200, zh: '请输入消息标题', en: 'Enter a title for the message.' },
  message_title_too_long: {
    status: 200,
    zh: '消息标题最长 {limit} 个字符',
    en: 'The title can have at most {limit} characters.',
  },
  message_content_required: { status: 200, zh: '请输入消息内容', en: 'Enter the content of the message.' },
  message_content_too_long: {
    status: 200,
    zh: '消息内容不能超过 {limit} KB',
    en: 'The content can have at most {limit} KB.',
  },
  message_format_invalid: {
    status: 200,
    zh: '消息格式只能是 markdown 或 html',
    en: 'The format must be markdown or html.',
  },
  message_date_invalid: {
    status: 200,
    zh: '日期格式不正确：{field}',
    en: 'This is not a date: {field}',
  },
  message_time_invalid: {
    status: 200,
    zh: '发送时间必须晚于当前时间，且在一年之内',
    en: 'The time to send it must lie in the future, within a year.',
  },
  message_sent: {
    status: 200,
    zh: '消息已开始发送，不能再修改发送时间',
    en: 'The message is being sent already; its time cannot change any more.',
  },
  recipients_required: { status: 200, zh: '请选择至少一个收件人', en: 'Choose at least one recipient.' },
  recipients_ambiguous: {
    status: 200,
    zh: '指定用户、分组和全体用户只能选择一种',
    en: 'Choose users, a group or everybody: only one of these.',
  },
  recipients_unknown: {
    status: 200,
    zh: '以下用户不存在或已注销：{ids}',
    en: 'These users do not exist or were deregistered: {ids}',
  },

  notify_type_invalid: { status: 200, zh: '无效的通知方式', en: 'Notifications are sent by email or webhook.' },
  threshold_invalid: {
    status: 200,
    zh: '预警额度必须是大于 0 的整数',
    en: 'The warning threshold must be a whole number above 0.',
  },
  webhook_required: { status: 200, zh: '请填写 Webhook 地址', en: 'Enter the address of the webhook.' },
  webhook_invalid: {
    status: 200,
    zh: 'Webhook 地址必须以 https:// 开头，且指向公网的 443 端口',
    en: 'The webhook must be an https:// address on port 443 of the public internet.',
  },
  webhook_secret_invalid: {
    status: 200,
    zh: 'Webhook 密钥只能包含可见的 ASCII 字符',
    en: 'The webhook secret can hold visible ASCII characters only.',
  },
  notification_code_required: {
    status: 200,
    zh: '通知邮箱与账户邮箱不同，请输入发送到该邮箱的验证码',
    en: 'This is not the address of the account. Enter the code that was mailed to it.',
  },

  push_endpoint_invalid: {
    status: 200,
    zh: '不支持该浏览器的推送服务地址',
    en: "The address of this browser's push service is not supported.",
  },
  push_keys_invalid: {
    status: 200,
    zh: '浏览器提供的推送密钥无效，请重新开启推送通知',
    en: 'The push keys of the browser are invalid. Turn push notifications on again.',
  },
  push_limit: {
    status: 200,
    zh: '最多 {limit} 台设备可以接收推送通知，请先移除一台',
    en: 'At most {limit} devices can receive push notifications. Remove one first.',
  },
  push_device_not_found: {
    status: 200,
    zh: '该设备未开启推送通知',
    en: 'The device does not receive push notifications.',
  },

  delivery_not_found: { status: 200, zh: '通知记录不存在', en: 'There is no such notification.' },
  delivery_not_failed: {
    status: 200,
    zh: '只有发送失败的通知可以重试',
    en: 'Only a failed notification can be sent again.',
  },
  email_missing: {
    status: 200,
    zh: '请先绑定邮箱或填写通知邮箱',
    en: 'Bind an email address or enter one for notifications first.',
  },
} as const
