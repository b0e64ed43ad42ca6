/** What an example is made of. */
export interface Target {
  /** Where programs reach this site, without a slash at the end. */
  address: string
  key: string
  model: string
}

export interface Snippet {
  /** What the tab says: short, for four have to stand side by side on a phone. */
  name: string
  /** What has to be installed first. */
  install?: string
  text: string
}

/** How a model is asked, guessed from its name as vendors name their models. */
export type Use = 'chat' | 'embedding' | 'image' | 'speech' | 'transcription' | 'task'

export function useOf(model: string): Use {
  const name = model.toLowerCase()
  if (/^(mj_|suno_|swap_face)/.test(name)) return 'task'
  if (/embed|(^|\/)bge-|(^|\/)m3e/.test(name)) return 'embedding'
  if (/dall-e|gpt-image|imagen|flux|stable-diffusion|cogview/.test(name)) return 'image'
  if (/(^|[/-])tts(-|$)/.test(name)) return 'speech'
  if (/whisper|transcribe/.test(name)) return 'transcription'
  return 'chat'
}

/** Short programs that use the model once. */
export function snippetsFor(target: Target, prompt: string): Snippet[] {
  switch (useOf(target.model)) {
    case 'chat':
      return [
        { name: 'curl', text: curl(target, '/v1/chat/completions', chatBody(target, prompt)) },
        typeScript(target, chatCall('await client', target, prompt)),
        python(target, chatCall('client', target, prompt)),
        anthropic(target, prompt),
      ]
    case 'embedding':
      return [
        { name: 'curl', text: curl(target, '/v1/embeddings', { model: target.model, input: prompt }) },
        typeScript(target, [
          `const { data } = await client.embeddings.create({ model: ${quote(target.model)}, input: ${quote(prompt)} });`,
          'console.log(data[0]?.embedding.length);',
        ]),
        python(target, [
          `answer = client.embeddings.create(model=${quote(target.model)}, input=${quote(prompt)})`,
          'print(len(answer.data[0].embedding))',
        ]),
      ]
    case 'image':
      return [
        { name: 'curl', text: curl(target, '/v1/images/generations', { model: target.model, prompt }) },
        typeScript(target, [
          `const { data } = await client.images.generate({ model: ${quote(target.model)}, prompt: ${quote(prompt)} });`,
          'console.log(data?.[0]?.url ?? data?.[0]?.b64_json?.length);',
        ]),
        python(target, [
          `answer = client.images.generate(model=${quote(target.model)}, prompt=${quote(prompt)})`,
          'print(answer.data[0].url)',
        ]),
      ]
    case 'speech': {
      const body = { model: target.model, voice: 'alloy', input: prompt }
      return [{ name: 'curl', text: `${curl(target, '/v1/audio/speech', body)} \\\n  -o speech.mp3` }]
    }
    case 'transcription':
      return [{ name: 'curl', text: transcription(target) }]
    case 'task':
      return []
  }
}

const chatBody = ({ model }: Target, prompt: string) => ({ model, messages: [{ role: 'user', content: prompt }] })

function curl({ address, key }: Target, path: string, body: object): string {
  return [
    `curl ${shellQuote(address + path)}`,
    `  -H ${shellQuote(`Authorization: Bearer ${key}`)}`,
    `  -H 'Content-Type: application/json'`,
    `  -d ${shellQuote(JSON.stringify(body, null, 2))}`,
  ].join(' \\\n')
}

function transcription({ address, key, model }: Target): string {
  return [
    `curl ${shellQuote(`${address}/v1/audio/transcriptions`)}`,
    `  -H ${shellQuote(`Authorization: Bearer ${key}`)}`,
    `  -F ${shellQuote(`model=${model}`)}`,
    `  -F file=@speech.mp3`,
  ].join(' \\\n')
}

/** The two libraries differ in punctuation only. */
function chatCall(client: 'await client' | 'client', { model }: Target, prompt: string): string[] {
  if (client === 'client') {
    return [
      'completion = client.chat.completions.create(',
      `    model=${quote(model)},`,
      `    messages=[{"role": "user", "content": ${quote(prompt)}}],`,
      ')',
      'print(completion.choices[0].message.content)',
    ]
  }
  return [
    'const completion = await client.chat.completions.create({',
    `  model: ${quote(model)},`,
    `  messages: [{ role: "user", content: ${quote(prompt)} }],`,
    '});',
    'console.log(completion.choices[0]?.message.content);',
  ]
}

const typeScript = ({ address, key }: Target, call: readonly string[]): Snippet => ({
  name: 'TypeScript',
  install: 'npm install openai',
  text: [
    'import OpenAI from "openai";',
    '',
    'const client = new OpenAI({',
    `  baseURL: ${quote(`${address}/v1`)},`,
    `  apiKey: ${quote(key)},`,
    '});',
    '',
    ...call,
  ].join('\n'),
})

const python = ({ address, key }: Target, call: readonly string[]): Snippet => ({
  name: 'Python',
  install: 'pip install openai',
  text: [
    'from openai import OpenAI',
    '',
    'client = OpenAI(',
    `    base_url=${quote(`${address}/v1`)},`,
    `    api_key=${quote(key)},`,
    ')',
    '',
    ...call,
  ].join('\n'),
})

/** The library adds `/v1/messages` itself. */
const anthropic = ({ address, key, model }: Target, prompt: string): Snippet => ({
  name: 'Anthropic',
  install: 'npm install @anthropic-ai/sdk',
  text: `import Anthropic from "@anthropic-ai/sdk";

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
}`,
})

/** Reads the same in JavaScript and Python. */
const quote = (text: string) => JSON.stringify(text)

/** Nothing inside is expanded. */
const shellQuote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
