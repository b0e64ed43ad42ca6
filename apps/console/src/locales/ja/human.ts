export default {
  label: '人間であることの確認',
  loading: '確認画面を読み込んでいます…',
  failed: '確認画面を読み込めませんでした。ネットワークを確認して再試行してください。',
  retry: '再試行',
  waiting: '数秒後にもう一度お試しください。Turnstile が利用環境を確認しています',
}
