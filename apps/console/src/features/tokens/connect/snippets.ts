import {
  anthropicTypeScript,
  chatBody,
  chatInPython,
  chatInTypeScript,
  curlPost,
  openaiPython,
  openaiRoot,
  openaiTypeScript,
  quote,
  shellQuote,
  type Connection,
} from '../../../components/code-samples.ts'

/** Text to paste into a file or a shell. */
export interface Snippet {
  /** Its destination: a file, a shell or a language. */
  place: string
  /** Command that installs the library. */
  install?: string
  text: string
}

/** For PowerShell: nothing inside is expanded. */
export const powerShellQuote = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Claude Code reads these variables and adds `/v1/messages` to the address. */
export function claudeCodeSnippets(connection: Connection): Snippet[] {
  const variables = Object.entries(claudeCodeVariables(connection))
  return [
    { place: '~/.claude/settings.json', text: claudeCodeSettings(connection) },
    { place: 'macOS / Linux', text: lines(variables, (name, value) => `export ${name}=${shellQuote(value)}`) },
    {
      place: 'Windows PowerShell',
      text: lines(variables, (name, value) => `$env:${name} = ${powerShellQuote(value)}`),
    },
  ]
}

function claudeCodeVariables({ address, key, model }: Connection): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: address,
    ANTHROPIC_AUTH_TOKEN: key,
    ANTHROPIC_MODEL: model,
    // /model, subagents and titles use haiku, sonnet and opus, which this site may not have.
    ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
    ANTHROPIC_DEFAULT_SONNET_MODEL: model,
    ANTHROPIC_DEFAULT_OPUS_MODEL: model,
  }
}

const claudeCodeSettings = (connection: Connection) => JSON.stringify({ env: claudeCodeVariables(connection) }, null, 2)

const lines = (variables: [string, string][], line: (name: string, value: string) => string) =>
  [...variables.map(([name, value]) => line(name, value)), 'claude'].join('\n')

/** Must differ from the names that Codex reserves for its built-in providers. */
const PROVIDER = 'gateway'
const KEY_VARIABLE = 'GATEWAY_API_KEY'

/** The config file names the variable of the key and does not contain the key. */
export function codexSnippets(connection: Connection, site: string): Snippet[] {
  const { key } = connection
  return [
    { place: '~/.codex/config.toml', text: codexConfig(connection, site) },
    { place: 'macOS / Linux', text: `export ${KEY_VARIABLE}=${shellQuote(key)}\ncodex` },
    { place: 'Windows PowerShell', text: `$env:${KEY_VARIABLE} = ${powerShellQuote(key)}\ncodex` },
  ]
}

const codexConfig = (connection: Connection, site: string) =>
  `model = ${quote(connection.model)}
model_provider = ${quote(PROVIDER)}

[model_providers.${PROVIDER}]
name = ${quote(site)}
base_url = ${quote(openaiRoot(connection))}
env_key = ${quote(KEY_VARIABLE)}
wire_api = "responses"`

/** Short programs with the SDKs of the providers. */
export function sdkSnippets(connection: Connection, prompt: string): Snippet[] {
  return [
    {
      place: 'OpenAI · TypeScript',
      install: 'npm install openai',
      text: openaiTypeScript(connection, chatInTypeScript(connection, prompt)),
    },
    {
      place: 'OpenAI · Python',
      install: 'pip install openai',
      text: openaiPython(connection, chatInPython(connection, prompt)),
    },
    {
      place: 'Anthropic · TypeScript',
      install: 'npm install @anthropic-ai/sdk',
      text: anthropicTypeScript(connection, prompt),
    },
    {
      place: 'Google Gen AI · TypeScript',
      install: 'npm install @google/genai',
      text: googleTypeScript(connection, prompt),
    },
  ]
}

/** The library adds `/v1beta/models` itself. */
const googleTypeScript = ({ address, key, model }: Connection, prompt: string) =>
  `import { GoogleGenAI } from "@google/genai";

const client = new GoogleGenAI({
  apiKey: ${quote(key)},
  httpOptions: { baseUrl: ${quote(address)} },
});

const response = await client.models.generateContent({
  model: ${quote(model)},
  contents: ${quote(prompt)},
});
console.log(response.text);`

export function curlSnippets(connection: Connection, prompt: string): Snippet[] {
  const list = [
    `curl ${shellQuote(`${openaiRoot(connection)}/models`)}`,
    `  -H ${shellQuote(`Authorization: Bearer ${connection.key}`)}`,
  ]
  return [
    {
      place: 'POST /v1/chat/completions',
      text: curlPost(connection, '/chat/completions', chatBody(connection, prompt)),
    },
    { place: 'GET /v1/models', text: list.join(' \\\n') },
  ]
}

/** Common chat apps. The locale files contain their field names. */
export const CHAT_CLIENTS = ['cherryStudio', 'chatbox', 'lobeChat', 'nextChat', 'openWebUi'] as const
export type Client = (typeof CHAT_CLIENTS)[number] | 'cursor'

/** Values of the three fields. Some apps add `/v1` to the address themselves. */
export function clientFields(client: Client, connection: Connection): Record<'address' | 'key' | 'model', string> {
  const { address, key, model } = connection
  switch (client) {
    case 'cherryStudio':
    case 'chatbox':
      return { address, key, model }
    case 'nextChat':
      // Without a provider, NextChat chooses one by the name of the model.
      return { address, key, model: `+${model}@OpenAI` }
    case 'lobeChat':
    case 'openWebUi':
    case 'cursor':
      return { address: openaiRoot(connection), key, model }
  }
}
