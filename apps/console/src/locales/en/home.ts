export default {
  tagline:
    'One address for the models of many vendors. Keep the client you use, pay for what you call, and check every line of the bill.',
  contentOf: 'Home page of {{name}}',
  start: 'Get started',
  login: 'Log in',
  openConsole: 'Open the console',
  seePrices: 'See prices',
  address: {
    title: 'API address',
    hint: 'Set it as the base URL of your client; the rest of your code stays',
    copy: 'Copy the API address',
    copyFor: 'Copy the address for {{name}} clients',
    protocols: 'Protocols',
  },
  models: {
    title: 'Models you can call: {{count}}',
    all: 'All models and prices',
    others: 'Others',
  },
  protocols: {
    title: 'Four protocols in, any vendor out',
    text: 'Clients for OpenAI, Responses, Anthropic and Gemini connect without a change of code.',
  },
  money: {
    title: 'Money that adds up',
    text: 'Quota is counted in whole units; a receipt can be recomputed line by line. Nothing is billed twice.',
  },
  failover: {
    title: 'Upstream failures stay upstream',
    text: 'Until the first word, a failing channel is replaced. After it, every event arrives as it was sent.',
  },
}
