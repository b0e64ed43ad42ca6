export default {
  label: '人机验证',
  loading: '正在加载人机验证…',
  failed: '人机验证没能加载，请检查网络后重试。',
  retry: '重试',
  waiting: '请稍后几秒重试，Turnstile 正在检查用户环境',
}
