import { openaiRoot, quote, type Connection, type Snippet } from './connection.ts'

/** Short programs that ask one question with the vendors' own libraries. */
export function sdkSnippets(connection: Connection, prompt: string): Snippet[] {
  return [
    {
      place: 'OpenAI · TypeScript',
      install: 'npm install openai',
      text: openaiTypeScript(connection, prompt),
    },
    { place: 'OpenAI · Python', install: 'pip install openai', text: openaiPython(connection, prompt) },
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

const openaiTypeScript = (connection: Connection, prompt: string) =>
  `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: ${quote(openaiRoot(connection))},
  apiKey: ${quote(connection.key)},
});

const completion = await client.chat.completions.create({
  model: ${quote(connection.model)},
  messages: [{ role: "user", content: ${quote(prompt)} }],
});
console.log(completion.choices[0]?.message.content);`

const openaiPython = (connection: Connection, prompt: string) =>
  `from openai import OpenAI

client = OpenAI(
    base_url=${quote(openaiRoot(connection))},
    api_key=${quote(connection.key)},
)

completion = client.chat.completions.create(
    model=${quote(connection.model)},
    messages=[{"role": "user", "content": ${quote(prompt)}}],
)
print(completion.choices[0].message.content)`

/** The library adds `/v1/messages` itself. */
const anthropicTypeScript = ({ address, key, model }: Connection, prompt: string) =>
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
