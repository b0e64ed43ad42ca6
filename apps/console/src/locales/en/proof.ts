export default {
  title: 'Confirm that it is you',
  purpose: 'This affects security or money. You will not be asked again for ten minutes.',
  way: 'How to confirm',
  ways: { password: 'Password', code: 'App code', passkey: 'Passkey' },
  missing: { password: 'Enter your password', code: 'Enter the six digits that your app shows' },
  wrongCode: 'That is not the code. Enter what the app shows right now.',
  confirm: 'Confirm',
  passkey: {
    hint: 'Your browser will ask for your fingerprint, face, PIN or security key.',
    use: 'Use a passkey',
    closed: 'The browser’s prompt was closed or took too long. Try again.',
    known: 'This device already holds a passkey for your account.',
    otherAddress: 'Passkeys only work at the address the administrator has set for this site.',
    unfit: 'This device cannot make a passkey that is safe enough. Try another one.',
  },
  logInAgain: {
    text: 'None of the ways to confirm this account works here. Log in again: a fresh login counts for ten minutes.',
    action: 'Log in again',
  },
}
