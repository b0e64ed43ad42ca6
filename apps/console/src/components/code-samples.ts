/** The connection of a program to this site. */
export interface Connection {
  /** The API URL of this site, without a trailing slash. */
  address: string
  key: string
  model: string
}

/** A string literal that is valid in JavaScript, Python and TOML. */
export const quote = (text: string) => JSON.stringify(text)

/** Quotes a text for the shell, without expansion. */
export const shellQuote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The base URL for OpenAI's libraries. */
export const openaiRoot = ({ address }: Pick<Connection, 'address'>) => `${address}/v1`

export function curlPost(connection: Connection, path: string, body: object): string {
  return [
    `curl ${shellQuote(openaiRoot(connection) + path)}`,
    `  -H ${shellQuote(`Authorization: Bearer ${connection.key}`)}`,
    `  -H 'Content-Type: application/json'`,
    `  -d ${shellQuote(JSON.stringify(body, null, 2))}`,
  ].join(' \\\n')
}

export const chatBody = ({ model }: Connection, prompt: string) => ({
  model,
  messages: [{ role: 'user', content: prompt }],
})

/** A program that sends one request with OpenAI's library. */
export const openaiTypeScript = (connection: Connection, call: readonly string[]) =>
  [
    'import OpenAI from "openai";',
    '',
    'const client = new OpenAI({',
    `  baseURL: ${quote(openaiRoot(connection))},`,
    `  apiKey: ${quote(connection.key)},`,
    '});',
    '',
    ...call,
  ].join('\n')

export const openaiPython = (connection: Connection, call: readonly string[]) =>
  [
    'from openai import OpenAI',
    '',
    'client = OpenAI(',
    `    base_url=${quote(openaiRoot(connection))},`,
    `    api_key=${quote(connection.key)},`,
    ')',
    '',
    ...call,
  ].join('\n')

export const chatInTypeScript = ({ model }: Connection, prompt: string) => [
  'const completion = await client.chat.completions.create({',
  `  model: ${quote(model)},`,
  `  messages: [{ role: "user", content: ${quote(prompt)} }],`,
  '});',
  'console.log(completion.choices[0]?.message.content);',
]

export const chatInPython = ({ model }: Connection, prompt: string) => [
  'completion = client.chat.completions.create(',
  `    model=${quote(model)},`,
  `    messages=[{"role": "user", "content": ${quote(prompt)}}],`,
  ')',
  'print(completion.choices[0].message.content)',
]

/** The library appends `/v1/messages` to the base URL. */
export const anthropicTypeScript = ({ address, key, model }: Connection, prompt: string) =>
  `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({
  baseURL: ${quote(address)},
  apiKey: ${quote(key)},
});

const message = await client.messages.create({
  model: ${quote(model)},
  max_tokens: 1024,
  messages: [{ role: "user", content: ${quote(prompt)} }],
});
for (const block of message.content) {
  if (block.type === "text") console.log(block.text);
}`
