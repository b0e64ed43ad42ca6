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
} from '../../components/code-samples.ts'

export interface Snippet {
  /** Short, because four tabs fit side by side on a phone. */
  name: string
  /** The command that installs the library. */
  install?: string
  text: string
}

/** The endpoint of a model, guessed from its name. */
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
export function snippetsFor(target: Connection, prompt: string): Snippet[] {
  switch (useOf(target.model)) {
    case 'chat':
      return [
        { name: 'curl', text: curlPost(target, '/chat/completions', chatBody(target, prompt)) },
        typeScript(target, chatInTypeScript(target, prompt)),
        python(target, chatInPython(target, prompt)),
        anthropic(target, prompt),
      ]
    case 'embedding':
      return [
        { name: 'curl', text: curlPost(target, '/embeddings', { model: target.model, input: prompt }) },
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
        { name: 'curl', text: curlPost(target, '/images/generations', { model: target.model, prompt }) },
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
      return [{ name: 'curl', text: `${curlPost(target, '/audio/speech', body)} \\\n  -o speech.mp3` }]
    }
    case 'transcription':
      return [{ name: 'curl', text: transcription(target) }]
    case 'task':
      return []
  }
}

function transcription({ model, ...connection }: Connection): string {
  return [
    `curl ${shellQuote(`${openaiRoot(connection)}/audio/transcriptions`)}`,
    `  -H ${shellQuote(`Authorization: Bearer ${connection.key}`)}`,
    `  -F ${shellQuote(`model=${model}`)}`,
    `  -F file=@speech.mp3`,
  ].join(' \\\n')
}

const typeScript = (target: Connection, call: readonly string[]): Snippet => ({
  name: 'TypeScript',
  install: 'npm install openai',
  text: openaiTypeScript(target, call),
})

const python = (target: Connection, call: readonly string[]): Snippet => ({
  name: 'Python',
  install: 'pip install openai',
  text: openaiPython(target, call),
})

const anthropic = (target: Connection, prompt: string): Snippet => ({
  name: 'Anthropic',
  install: 'npm install @anthropic-ai/sdk',
  text: anthropicTypeScript(target, prompt),
})
