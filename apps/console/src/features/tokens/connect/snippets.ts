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
    {
      place: 'Vercel AI SDK · TypeScript',
      install: 'npm install ai @ai-sdk/openai-compatible',
      text: aiSdkTypeScript(connection, prompt),
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

const aiSdkTypeScript = (connection: Connection, prompt: string) =>
  `import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText } from "ai";

const gateway = createOpenAICompatible({
  name: "gateway",
  baseURL: ${quote(openaiRoot(connection))},
  apiKey: ${quote(connection.key)},
});

const { text } = await generateText({
  model: gateway(${quote(connection.model)}),
  prompt: ${quote(prompt)},
});
console.log(text);`

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
