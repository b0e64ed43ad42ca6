export default {
  title: 'Chat',
  loading: 'Opening the chat',
  login: { title: 'Log in to chat', hint: 'The chat uses the first of your tokens that is enabled.', action: 'Log in' },
  noToken: {
    title: 'No enabled token available, please check that a token is enabled!',
    hint: 'You are being taken to your tokens.',
    action: 'Go to the tokens',
  },
  broken: 'Chat link configuration error, please contact admin',
  brokenHint: 'No link is set, or it is not one that can be opened.',
  loadFailed: 'The chat could not be opened',
  outside: {
    title: 'Chat in {{name}}',
    hint: 'The key and the address are filled in.',
    action: 'Open {{name}}',
  },
  newTab: 'Open in a new tab',
  newTabHint: 'Nothing to see? The chat may not allow to be embedded.',
  leaving: 'Going to {{name}}…',
}
