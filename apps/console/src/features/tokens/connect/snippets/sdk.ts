import {
  anthropicTypeScript,
  chatInPython,
  chatInTypeScript,
  openaiPython,
  openaiTypeScript,
  quote,
  type Connection,
} from '../../../../lib/code-samples/index.ts'
import type { Snippet } from './connection.ts'

/** Short programs that ask one question with the vendors' own libraries. */
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
