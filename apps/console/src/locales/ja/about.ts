export default {
  title: '{{name}} について',
  failed: 'このページを読み込めませんでした',
  words:
    '{{name}} は AI モデルの API ゲートウェイです。1 つのアドレスと 1 つのトークンで、使い慣れた OpenAI、Anthropic、Gemini のクライアントから各社のモデルを呼び出せます。',
  next: '呼び出しごとの費用とその理由は、ログで 1 項目ずつ確認できます。まずは<prices>料金を見る</prices>か、<tokens>トークンを作成</tokens>して試してみてください。',
  address: 'API アドレス',
  version: 'バージョン',
  owner:
    'この文章は仮のものです。<settings>システム設定 → その他</settings>で独自の紹介文を書けます。Markdown、HTML、または Web ページのアドレスが使えます。',
}
