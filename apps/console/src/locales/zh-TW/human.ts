export default {
  label: '真人驗證',
  loading: '正在載入真人驗證…',
  failed: '真人驗證無法載入，請檢查網路後重試。',
  retry: '重試',
  waiting: '請稍後幾秒重試，Turnstile 正在檢查使用者環境',
}
