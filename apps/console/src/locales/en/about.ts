export default {
  title: 'About {{name}}',
  failed: 'The about page could not be loaded',
  words:
    '{{name}} is a gateway to AI models: one address and one token let you call the models of many vendors with the OpenAI, Anthropic or Gemini client you already use.',
  next: 'What a call cost, and why, can be checked line by line in the logs. <prices>Look at the prices</prices> first, or <tokens>create a token</tokens> and try it.',
  address: 'API address',
  version: 'Version',
  owner:
    'These words only hold the place. Write your own in <settings>System settings → Other</settings>: Markdown, HTML or the address of a page.',
}
