/** Errors of logs, request details, exports and the dashboard. */
export const logErrors = {
  log_store_unavailable: {
    status: 503,
    zh: '日志存储暂时不可用，请稍后再试。请求、余额和令牌不受影响，日志不会丢失',
    en: 'The log store does not respond. Try again shortly. Requests, balances and tokens work, and no log row is lost.',
  },
  page_too_deep: {
    status: 200,
    zh: '翻页过深，请缩小时间范围或增加筛选条件',
    en: 'That page is too far back. Narrow the time range or add a filter.',
  },
  log_cursor_invalid: {
    status: 200,
    zh: '翻页游标无效，请从第一页重新开始',
    en: 'The cursor is not valid. Start again from the first page.',
  },
  too_many_log_rows: {
    status: 200,
    zh: '需要读取的日志超过 {rows} 条，请缩小时间范围或增加筛选条件',
    en: 'More than {rows} log rows would have to be read. Narrow the time range or add a filter.',
  },
  log_time_missing: { status: 200, zh: '请指定要清理到的时间', en: 'Say up to which time logs are to be removed.' },
  request_not_found: {
    status: 200,
    zh: '没有找到该请求的记录，可能尚未结算、已过保留期（被拒绝的请求保留 7 天，大量重复时只计数），或日志未开启',
    en:
      'Nothing is recorded under this request id. It may not be settled yet, be past retention, or logging was off. ' +
      'Rejected requests are kept for 7 days; of many alike, most are only counted.',
  },
  timezone_unknown: {
    status: 200,
    zh: '时区 {timezone} 不存在，请使用 Asia/Shanghai 这样的名称',
    en: 'The time zone {timezone} does not exist. Use a name such as Europe/Berlin.',
  },
  data_span_too_long: {
    status: 200,
    zh: '时间跨度不能超过 {days} 天',
    en: 'The range must not exceed {days} days.',
  },

  exports_disabled: {
    status: 200,
    zh: '本站未允许用户导出请求记录',
    en: 'This site does not allow users to export requests.',
  },
  export_limit: {
    status: 200,
    zh: '最多可以添加 {limit} 个导出目标，请先删除一个',
    en: 'There can be at most {limit} export destinations. Delete one first.',
  },
  export_not_found: { status: 200, zh: '导出目标不存在', en: 'The export destination does not exist.' },
  export_url_invalid: {
    status: 200,
    zh: '地址必须以 https:// 开头，且指向公网的 443 端口',
    en: 'The URL must be an https:// address on port 443 of the public internet.',
  },
  export_fields_missing: {
    status: 200,
    zh: '请填写以下字段：{fields}',
    en: 'Enter these fields: {fields}',
  },
  export_headers_invalid: {
    status: 200,
    zh: '请求头必须每行一个，格式为“名称: 值”，且不能是系统管理的请求头',
    en: 'Enter one header per line as `Name: value`. Headers that the server sets are not allowed.',
  },
  export_secrets_needed: {
    status: 200,
    zh: '主机已更改，请重新输入密钥',
    en: 'The host changed. Enter the credentials again.',
  },
  export_delivery_not_found: { status: 200, zh: '投递记录不存在', en: 'The delivery does not exist.' },
  export_delivery_not_failed: {
    status: 200,
    zh: '只有失败的投递可以重新发送',
    en: 'Only a failed delivery can be sent again.',
  },
} as const
