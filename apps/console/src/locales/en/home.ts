export default {
  tagline:
    'One address for every model. Each call is routed, metered and billed, and every unit of the bill can be checked.',
  openConsole: 'Open the console',
  seePrices: 'See prices',
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
