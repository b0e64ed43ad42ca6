export default {
  title: '確認是您本人',
  purpose: '此操作涉及安全或資金。確認之後，十分鐘內不會再次詢問。',
  way: '確認方式',
  ways: { password: '密碼', code: '動態驗證碼', passkey: '通行金鑰' },
  missing: { password: '請輸入密碼', code: '請輸入驗證器應用程式顯示的 6 位數字' },
  wrongCode: '驗證碼不正確，請輸入應用程式此刻顯示的數字',
  confirm: '確認',
  passkey: {
    hint: '瀏覽器會請您驗證指紋、臉部、PIN 碼或安全金鑰。',
    use: '使用通行金鑰',
    closed: '瀏覽器的驗證視窗已關閉或逾時，請重試。',
    known: '這台裝置上已經有此帳戶的通行金鑰。',
    otherAddress: '只有透過管理員設定的網站位址存取時，才能使用通行金鑰。',
    unfit: '這台裝置無法建立足夠安全的通行金鑰，請換一台裝置試試。',
  },
  logInAgain: {
    text: '此帳戶的確認方式在這裡都無法使用。請重新登入，登入後十分鐘內無需再確認。',
    action: '重新登入',
  },
}
