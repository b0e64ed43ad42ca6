export default {
  title: 'ログイン',
  purpose: '{{name}} へようこそ',
  username: 'ユーザー名またはメールアドレス',
  password: 'パスワード',
  submit: 'ログイン',
  forgot: 'パスワードをお忘れですか？',
  noAccount: 'アカウントをお持ちでない場合',
  register: '新規登録',
  required: 'ユーザー名とパスワードを入力してください！',
  expired: 'ログインしていないか、ログインの有効期限が切れています。もう一度ログインしてください！',
  registered: '登録が完了しました！ログインしてください。',
  weakPassword: {
    default: {
      title: '初期パスワードのままです！',
      text: 'すぐに初期パスワードを変更してください！',
    },
    weak: {
      title: '推測されやすいパスワードです！',
      text: 'スーパー管理者のパスワードが知られると、サイト全体を操作されてしまいます。すぐに変更してください。',
    },
    action: '変更する',
    later: 'あとで',
  },
}
