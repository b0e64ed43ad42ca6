/** Errors of logs, request details and the dashboard. */
export const logErrors = {
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
} as const
