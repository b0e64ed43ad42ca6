/** Refusals of the inbox and of messages to users. */
export const messageErrors = {
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
} as const
