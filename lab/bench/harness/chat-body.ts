import { writeFile } from 'node:fs/promises'
import { outFolder } from './paths.ts'

const CHARACTERS = 800
const SENTENCE = 'How high does the tide rise tonight, and when may we open the gate for the boats that wait outside? '

interface BodyOptions {
  stream?: boolean
  /** Characters of the question. Default: about 1 KB of body. */
  characters?: number
}

/** Writes the body of a chat request for the load generator. Returns the path of the file. */
export async function writeChatBody(
  model: string,
  { stream = false, characters = CHARACTERS }: BodyOptions = {},
): Promise<string> {
  const question = SENTENCE.repeat(Math.ceil(characters / SENTENCE.length)).slice(0, characters)
  const body = {
    model,
    messages: [
      { role: 'system', content: 'You are a concise assistant.' },
      { role: 'user', content: question },
    ],
    temperature: 0.7,
    // The chunks of streams have more tokens than 256.
    max_tokens: stream ? 4096 : 256,
    ...(stream && { stream: true, stream_options: { include_usage: true } }),
  }
  const path = `${await outFolder('bodies')}${model}-${characters}${stream ? '-stream' : ''}.json`
  await writeFile(path, JSON.stringify(body))
  return path
}
