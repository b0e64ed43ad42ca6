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

/** Commands differ between them. */
export const SHELLS = ['macOS / Linux', 'Windows PowerShell'] as const
export type Shell = (typeof SHELLS)[number]

/** Text to paste into a file or a shell. */
export interface Snippet {
  /** The only shell that it is for. */
  shell?: Shell
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
    inShell(
      'macOS / Linux',
      lines(variables, (name, value) => `export ${name}=${shellQuote(value)}`),
    ),
    inShell(
      'Windows PowerShell',
      lines(variables, (name, value) => `$env:${name} = ${powerShellQuote(value)}`),
    ),
  ]
}

const inShell = (shell: Shell, text: string): Snippet => ({ shell, place: shell, text })

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
    inShell('macOS / Linux', `export ${KEY_VARIABLE}=${shellQuote(key)}\ncodex`),
    inShell('Windows PowerShell', `$env:${KEY_VARIABLE} = ${powerShellQuote(key)}\ncodex`),
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

/** Requests with curl, and without it in PowerShell, where `curl` is another command. */
export function curlSnippets(connection: Connection, prompt: string): Snippet[] {
  const list = [
    `curl ${shellQuote(`${openaiRoot(connection)}/models`)}`,
    `  -H ${shellQuote(`Authorization: Bearer ${connection.key}`)}`,
  ].join(' \\\n')
  const body = chatBody(connection, prompt)
  const [chat, models] = ['POST /v1/chat/completions', 'GET /v1/models'] as const
  return [
    { shell: 'macOS / Linux', place: chat, text: curlPost(connection, '/chat/completions', body) },
    { shell: 'macOS / Linux', place: models, text: list },
    { shell: 'Windows PowerShell', place: chat, text: powerShellPost(connection, '/chat/completions', body) },
    { shell: 'Windows PowerShell', place: models, text: powerShellRequest(connection, '/models') },
  ]
}

const powerShellRequest = (connection: Connection, path: string) =>
  `Invoke-RestMethod ${powerShellQuote(openaiRoot(connection) + path)} \`
  -Headers @{ Authorization = ${powerShellQuote(`Bearer ${connection.key}`)} }`

/** The body is sent as bytes, because older versions do not send text as UTF-8. */
const powerShellPost = (connection: Connection, path: string, body: object) =>
  `$body = @'
${JSON.stringify(body, null, 2)}
'@
${powerShellRequest(connection, path)} \`
  -Method Post -ContentType 'application/json' \`
  -Body ([Text.Encoding]::UTF8.GetBytes($body)) | ConvertTo-Json -Depth 9`

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
