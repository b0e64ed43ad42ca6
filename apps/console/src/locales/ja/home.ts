export default {
  tagline:
    '1 つのアドレスから各社の大規模モデルへ。今のクライアントのまま、使った分だけ支払い、請求は 1 項目ずつ確認できます。',
  contentOf: '{{name}} のホーム',
  start: '使い始める',
  login: 'ログイン',
  openConsole: 'コンソールを開く',
  seePrices: '料金を見る',
  address: {
    title: 'API アドレス',
    hint: 'クライアントのベース URL をこれに変えるだけで、ほかのコードはそのままです',
    copy: 'API アドレスをコピー',
    copyFor: '{{name}} クライアント用のアドレスをコピー',
    protocols: '対応プロトコル',
  },
  models: {
    title: '{{count}} 個のモデルを呼び出せます',
    all: 'すべてのモデルと料金',
    others: 'その他',
  },
  protocols: {
    title: '4 つのプロトコル、あらゆるアップストリーム',
    text: 'OpenAI、Responses、Anthropic、Gemini のクライアントがコードを変えずに接続できます。',
  },
  money: {
    title: '1 件ずつ計算が合う',
    text: 'クォータは整数で記帳し、請求は項目ごとに検算できます。過剰な請求も記録漏れもありません。',
  },
  failover: {
    title: 'アップストリームの障害を感じさせない',
    text: '最初の文字が届くまでは自動でチャネルを切り替え、その後のストリームはイベントごとにそのまま届けます。',
  },
}
